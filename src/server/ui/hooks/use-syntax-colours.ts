/**
 * Computes the syntax colours of a file after its lines have been shown, because parsing a long file takes time.
 */
import { startTransition, useEffect, useState } from 'react';
import { type LineTokens, tokensOf } from '../diff/highlight-syntax.ts';
import type { PatchFile } from '../diff/parse-patch.ts';

const NONE: LineTokens = new Map();

/** Lines that were shown before keep their colours while more lines of the file are parsed. */
export function useTokens(file: PatchFile): LineTokens {
  const [tokens, setTokens] = useState(NONE);
  useEffect(() => {
    // Each file is parsed in a separate task, so that the page stays responsive.
    const timer = setTimeout(() => {
      const parsed = tokensOf(file);
      startTransition(() => setTokens(parsed));
    });
    return () => clearTimeout(timer);
  }, [file]);
  return tokens;
}
