/** One file of a diff: its header, which stays in sight while its lines scroll, and its lines. */
import { type ComponentProps, type KeyboardEvent, memo, useMemo, useRef, useState } from 'react';
import { spelledOut } from '../../../../core/text/markdown-quote.ts';
import type { FileMarks } from '../../diff/defended-lines.ts';
import type { Layout } from '../../diff/diff-rows.ts';
import { isGenerated } from '../../diff/generated-file.ts';
import { withoutWhitespace } from '../../diff/ignore-whitespace.ts';
import type { PatchFile } from '../../diff/parse-patch.ts';
import { expanded, useUnchangedLines } from '../../hooks/use-diff-file-contents.ts';
import { usePlaceholderHeight } from '../../hooks/use-offscreen-placeholder.ts';
import { useWords } from '../../preferences.ts';
import type { Commenting } from '../../review-draft.ts';
import { DiffLines, heightOfLines } from './diff-lines.tsx';
import { ImageDiff } from './image-diff.tsx';

export interface DiffView {
  readonly layout: Layout;
  readonly hideWhitespace: boolean;
}

export const DiffFile = memo(function DiffFile({
  file: whole,
  id,
  view,
  commenting,
  marks,
  isViewed,
  setViewed,
}: {
  file: PatchFile;
  id: string;
  view: DiffView;
  commenting: Commenting | null;
  marks: FileMarks | undefined;
  isViewed: boolean;
  setViewed: (file: PatchFile, isViewed: boolean) => void;
}) {
  const w = useWords();
  const { hideWhitespace } = view;
  const { text, shown, show } = useUnchangedLines(whole);
  const file = useMemo(() => {
    const all = expanded(whole, { text, shown });
    return hideWhitespace ? withoutWhitespace(all) : all;
  }, [whole, text, shown, hideWhitespace]);
  const generated = useMemo(() => isGenerated(whole), [whole]);
  const [choice, setOpen] = useState<boolean | null>(null);
  const isOpen = choice ?? !(isViewed || generated);
  const mark = (next: boolean) => {
    setOpen(null);
    setViewed(whole, next);
  };
  /** While the header has focus, `v` marks the file as viewed and `c` comments on its first line. */
  const keys = (event: KeyboardEvent<HTMLElement>) => {
    if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'v') mark(!isViewed);
    else if (event.key === 'c' || event.key === 'ArrowDown') {
      const line = event.currentTarget.querySelector<HTMLButtonElement>('button[data-line]');
      if (event.key === 'c') line?.click();
      else line?.focus();
    } else return;
    event.preventDefault();
  };
  const lines = file.hunks.reduce((sum, hunk) => sum + hunk.lines.length, 0);
  return (
    <section className="file" id={id} tabIndex={-1} aria-labelledby={`${id}-name`} onKeyDown={keys}>
      <header className="file-head">
        <button
          type="button"
          className="plain small"
          aria-expanded={isOpen}
          aria-label={w.review.linesOf(whole.path)}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? '▾' : '▸'}
        </button>
        <h3 id={`${id}-name`} className="mono">
          {spelledOut(whole.path)}
        </h3>
        {whole.from && <span className="soft">{w.review.renamed(spelledOut(whole.from))}</span>}
        {whole.change !== 'changed' && <span className="soft">{w.review.change(whole.change)}</span>}
        {whole.kind && <span className="warn">{w.review.kind[whole.kind]}</span>}
        {generated && <span className="soft">{w.review.generated}</span>}
        <span className="good">+{whole.added}</span>
        <span className="bad">−{whole.deleted}</span>
        <label className="row viewed">
          <input type="checkbox" checked={isViewed} onChange={event => mark(event.target.checked)} />
          {w.review.viewed}
        </label>
      </header>
      {isOpen && whole.binary && <ImageDiff file={whole} />}
      {isOpen && whole.hunks.length > 0 && file.hunks.length === 0 && (
        <p className="file-note soft">{w.review.onlyWhitespace}</p>
      )}
      {isOpen && file.hunks.length > 0 && (
        <LazyLines
          file={file}
          layout={view.layout}
          commenting={commenting}
          marks={marks}
          height={heightOfLines(lines, file.hunks.length)}
          show={show}
        />
      )}
    </section>
  );
});

function LazyLines({ height, ...shown }: ComponentProps<typeof DiffLines> & { height: number }) {
  const element = useRef<HTMLDivElement>(null);
  const space = usePlaceholderHeight(element, height);
  return (
    <div className="diff-scroll" ref={element} style={space === null ? undefined : { height: space }}>
      {space === null && <DiffLines {...shown} />}
    </div>
  );
}
