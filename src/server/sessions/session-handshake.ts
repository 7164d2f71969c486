/**
 * Builds the messages with which a page and the server authenticate each other without sending the session. Both know
 * the key, the SHA-256 of the session. The server first proves that it has the key, using a nonce from the page. Then
 * the page sends its own proof, which is valid only for this server process and port. Another program that listens on
 * the port learns nothing useful.
 */

/** The text that the server signs (HMAC-SHA-256) to prove to a page that it has the key. */
export const serverClaim = (port: number, pageNonce: string, serverNonce: string): string =>
  `dure server ${port} ${pageNonce} ${serverNonce}`;

/** The text that the page signs with the key; the signature is the secret part of its proof. */
export const pageClaim = (port: number, serverNonce: string): string => `dure page ${port} ${serverNonce}`;

/** The proof that the page sends instead of its session. `id` is the SHA-256 of the key; both parts are hexadecimal. */
export const formatProof = (id: string, signature: string): string => `${id}.${signature}`;

export function parseProof(proof: string): { id: string; signature: string } | null {
  const [, id, signature] = /^([0-9a-f]{64})\.([0-9a-f]{64})$/.exec(proof) ?? [];
  return id === undefined || signature === undefined ? null : { id, signature };
}
