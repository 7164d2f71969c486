/** Returns the text of a rule file as prompts quote it; null if it is not text. This module is pure. */
export function ruleText(bytes: Buffer): string | null {
  if (bytes.includes(0)) return null;
  return bytes
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .trim();
}
