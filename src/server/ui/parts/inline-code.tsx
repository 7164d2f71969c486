/** Renders text in `backticks` as code. */
export const InlineCode = ({ text }: { text: string }) =>
  text
    .split('`')
    .map((part, place) => (place % 2 === 1 ? <code key={`code ${String(place)}`}>{part}</code> : part));
