/** Markdown; until its renderer is there the text as it is. */
import { Suspense } from 'react';
import { loadedApart } from '../loaded-apart.ts';

const Markdown = loadedApart(import('./markdown.tsx'));

export function Prose({ text }: { text: string }) {
  return (
    <Suspense fallback={<pre className="as-is">{text}</pre>}>
      <Markdown text={text} />
    </Suspense>
  );
}
