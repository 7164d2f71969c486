/** Formats amounts, in the same way for every language. */
/** An amount in US dollars, such as `$5,899.14`; small amounts have more digits. */
export const money = (usd: number): string =>
  usd > 0 && usd < 0.1 ? `$${usd.toFixed(4)}` : `$${DOLLARS.format(usd)}`;
const DOLLARS = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 });

export const megabytes = (bytes: number): string => `${Math.floor(bytes / 1e6)} MB`;
