/** All changed files of a pack: the list of files, and the diff of each. */
import { type ReactNode, useCallback, useDeferredValue, useMemo, useRef, useState } from 'react';
import { countMoved } from '../../../../core/policy/criteria/lines-defended-by-tests.ts';
import type { MrpView } from '../../../pack-protocol.ts';
import { lineMarksOf, onlyUndefended, totalOf } from '../../diff/defended-lines.ts';
import type { PatchFile } from '../../diff/parse-patch.ts';
import { useViewedFiles } from '../../diff/viewed-files.ts';
import { type Sides, SidesContext } from '../../hooks/use-diff-file-contents.ts';
import { useKeys } from '../../keyboard-shortcuts.ts';
import { chooseLayout, useLayout, useWords } from '../../preferences.ts';
import type { Commenting } from '../../review-draft.ts';
import { MarginKey } from './defended-lines-margin.tsx';
import { DiffFile } from './diff-file.tsx';
import { FileList, matches } from './file-list.tsx';
import { UndefendedLinesControls } from './undefended-lines-controls.tsx';

/** `since` contains what changed since the previous pack, and the number of that pack. */
export function Changes({
  pack,
  files: all,
  since,
  commenting: every,
}: {
  pack: MrpView;
  files: readonly PatchFile[];
  since: { readonly pack: number; readonly files: readonly PatchFile[] } | null;
  commenting: Commenting;
}) {
  const w = useWords();
  const [onlySince, setOnlySince] = useState(false);
  const isSince = since !== null && onlySince;
  const lines = useMemo(
    () => (pack.lines ?? []).filter(({ side }) => !isSince || side === 'new'),
    [pack.lines, isSince],
  );
  const undefended = useMemo(() => lines.filter(({ defence }) => defence === 'undefended'), [lines]);
  const marks = useMemo(() => lineMarksOf(lines), [lines]);
  const [reduce, setReduced] = useState(false);
  const isReduced = reduce && undefended.length > 0;
  const changed = isSince ? since.files : all;
  const files = useMemo(
    () =>
      isReduced
        ? changed
            .map(file => onlyUndefended(file, marks.get(file.path)))
            .filter(({ hunks }) => hunks.length > 0)
        : changed,
    [changed, marks, isReduced],
  );
  // In this view, the old side is the earlier pack, but comments can refer only to the base or the result.
  const commenting = useMemo(
    () => (isSince ? { ...every, sides: every.sides.filter(side => side === 'new') } : every),
    [isSince, every],
  );
  const layout = useLayout();
  const [hideWhitespace, setHideWhitespace] = useState(false);
  const [filter, setFilter] = useState('');
  const wanted = useDeferredValue(filter);
  const shown = useMemo(() => files.filter(file => matches(file, wanted)), [files, wanted]);
  const { isViewed, setViewed } = useViewedFiles(pack.run_id);
  const { run_id, pack: number } = pack;
  const before = isSince ? since.pack : null;
  const sides = useMemo<Sides>(
    () => ({
      id: run_id,
      before: before === null ? { pack: number, side: 'old' } : { pack: before, side: 'new' },
      after: { pack: number, side: 'new' },
    }),
    [run_id, number, before],
  );
  const view = useMemo(() => ({ layout, hideWhitespace }), [layout, hideWhitespace]);
  const ids = useMemo(() => new Map(files.map((file, index) => [file, `file-${index}`])), [files]);
  const go = useCallback((file: PatchFile) => toFile(ids.get(file)!), [ids]);
  useFileKeys(shown, ids);
  return (
    <section className="section" aria-labelledby="changes">
      <div className="row changes-head">
        <h2 id="changes">{w.review.changes}</h2>
        <span className="soft">
          {w.review.viewedOf(changed.filter(isViewed).length, changed.length)}
          {pack.open && changed.length > 0 && `. ${w.review.lineHint}`}
        </span>
        <span className="row view-options">
          {undefended.length > 0 && (
            <UndefendedLinesControls
              lines={undefended}
              commenting={commenting}
              isOnly={isReduced}
              setOnly={setReduced}
            />
          )}
          {since && (
            <Option checked={onlySince} change={setOnlySince}>
              {w.review.onlySince(since.pack)}
            </Option>
          )}
          <Option checked={hideWhitespace} change={setHideWhitespace}>
            {w.review.hideWhitespace}
          </Option>
          <Option
            className="wide-only"
            checked={layout === 'split'}
            change={split => chooseLayout(split ? 'split' : 'unified')}
          >
            {w.review.sideBySide}
          </Option>
        </span>
      </div>
      {marks.size > 0 && <MarginKey counts={totalOf(marks)} moved={countMoved(lines)} />}
      {files.length === 0 && <p className="soft">{w.review.empty}</p>}
      <div className={files.length > 1 ? 'changes' : undefined}>
        {files.length > 1 && (
          <FileList
            files={shown}
            marks={marks}
            filter={filter}
            setFilter={setFilter}
            isViewed={isViewed}
            go={go}
          />
        )}
        <SidesContext value={isReduced ? null : sides}>
          <div className="stack">
            {shown.map(file => (
              <DiffFile
                key={`${isSince} ${isReduced} ${file.path}`}
                id={ids.get(file)!}
                file={file}
                view={view}
                commenting={commenting}
                marks={marks.get(file.path)}
                isViewed={isViewed(file)}
                setViewed={setViewed}
              />
            ))}
          </div>
        </SidesContext>
      </div>
      {pack.patch_truncated && <p className="note caution">{w.review.truncated}</p>}
    </section>
  );
}

function Option({
  checked,
  change,
  className = '',
  children,
}: {
  checked: boolean;
  change: (checked: boolean) => void;
  className?: string;
  children: ReactNode;
}) {
  return (
    <label className={`row ${className}`}>
      <input type="checkbox" checked={checked} onChange={event => change(event.target.checked)} />
      {children}
    </label>
  );
}

function toFile(id: string): void {
  const element = document.getElementById(id);
  element?.focus({ preventScroll: true });
  element?.scrollIntoView({ block: 'start' });
}

/** `j` and `k` move between files, starting at the one that contains the focus. */
function useFileKeys(files: readonly PatchFile[], ids: ReadonlyMap<PatchFile, string>): void {
  const last = useRef(-1);
  useKeys(
    useMemo(() => {
      const go = (by: number) => () => {
        const focused = document.activeElement?.closest('.file')?.id;
        const at = files.findIndex(file => ids.get(file) === focused);
        last.current = Math.min(Math.max((at < 0 ? last.current : at) + by, 0), files.length - 1);
        const next = files[last.current];
        if (next) toFile(ids.get(next)!);
      };
      return { j: go(1), k: go(-1) };
    }, [files, ids]),
  );
}
