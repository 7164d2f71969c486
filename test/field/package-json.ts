/** Builds a sample's package.json. */
export const manifest = (more: Readonly<Record<string, unknown>>): string =>
  `${JSON.stringify({ name: 'sample', version: '1.0.0', private: true, type: 'module', ...more }, null, 2)}\n`;
