/** Markdown, with its renderer fetched only by pages that show some; until then the text as it is. */
import { lazy, Suspense } from 'react';

const Markdown = lazy(() => import('./markdown.tsx'));

export function Prose({ text }: { text: string }) {
  return (
    <Suspense fallback={<pre className="as-is">{text}</pre>}>
      <Markdown text={text} />
    </Suspense>
  );
}
