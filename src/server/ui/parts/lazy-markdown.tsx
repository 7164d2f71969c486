/** Markdown, shown as plain text until the renderer has loaded. */
import { Suspense } from 'react';
import { preloadedPart } from '../preloaded-part.ts';

const Markdown = preloadedPart(import('./markdown.tsx'));

export function Prose({ text }: { text: string }) {
  return (
    <Suspense fallback={<pre className="as-is">{text}</pre>}>
      <Markdown text={text} />
    </Suspense>
  );
}
