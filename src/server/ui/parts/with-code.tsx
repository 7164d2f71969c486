/** Words in which `backticks` mark what is to be typed. */
export const WithCode = ({ text }: { text: string }) =>
  text
    .split('`')
    .map((part, place) => (place % 2 === 1 ? <code key={`code ${String(place)}`}>{part}</code> : part));
