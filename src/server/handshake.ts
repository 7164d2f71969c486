/**
 * How a page and its server know each other without either sending the session. Both hold its key, the SHA-256 of the
 * session. The server proves first that it has it, with a nonce of the page; only then the page makes its pass, which
 * is good for this process of the server alone, on this port. Whoever else listens on the port learns nothing of use.
 */

/** What the server signs with the key (HMAC-SHA-256) to prove itself to a page. */
export const serverClaim = (port: number, pageNonce: string, serverNonce: string): string =>
  `dure server ${port} ${pageNonce} ${serverNonce}`;

/** What the page signs with the key; the signature is the secret part of its pass. */
export const pageClaim = (port: number, serverNonce: string): string => `dure page ${port} ${serverNonce}`;

/** What the page sends instead of its session. `id` is the SHA-256 of the key, both parts are hexadecimal. */
export const passOf = (id: string, signature: string): string => `${id}.${signature}`;

export function partsOfPass(pass: string): { id: string; signature: string } | null {
  const [, id, signature] = /^([0-9a-f]{64})\.([0-9a-f]{64})$/.exec(pass) ?? [];
  return id === undefined || signature === undefined ? null : { id, signature };
}
