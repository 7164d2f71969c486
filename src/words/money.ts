/** An amount in US dollars; small ones with more digits. */
export const money = (usd: number): string => `$${usd.toFixed(usd > 0 && usd < 0.1 ? 4 : 2)}`;
