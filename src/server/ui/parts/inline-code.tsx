/** Renders text in `backticks` as code. Text with an unmatched backtick is left as it is. */
export function InlineCode({ text }: { text: string }) {
  const parts = text.split('`');
  if (parts.length % 2 === 0) return text;
  return parts.map((part, place) =>
    place % 2 === 1 ? <code key={`code ${String(place)}`}>{part}</code> : part,
  );
}
