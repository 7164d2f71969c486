/** Formats amounts, in the same way for every language. */

/** An amount in US dollars, such as `$5,899.14`; small amounts have more digits. */
export const money = (usd: number): string =>
  usd > 0 && usd < 0.1 ? `$${usd.toFixed(4)}` : `$${DOLLARS.format(usd)}`;
const DOLLARS = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 });

export const megabytes = (bytes: number): string => `${Math.floor(bytes / 1e6)} MB`;

/** Returns a function that formats milliseconds with these units, such as `35 s`, `5 min` or `2 h 10 min`. */
export const spanIn =
  ({ h, min, s }: Readonly<Record<'h' | 'min' | 's', string>>) =>
  (ms: number): string => {
    const seconds = ms / 1000;
    if (seconds < 10) return `${Number(seconds.toFixed(1))}${s}`;
    if (seconds < 120) return `${Math.round(seconds)}${s}`;
    const minutes = Math.round(seconds / 60);
    if (minutes < 60) return `${minutes}${min}`;
    return minutes % 60 === 0
      ? `${minutes / 60}${h}`
      : `${Math.floor(minutes / 60)}${h} ${minutes % 60}${min}`;
  };
