/** All changed files of a pack: the list of files, and the diff of each. */
import {
  type Dispatch,
  type SetStateAction,
  useCallback,
  useDeferredValue,
  useMemo,
  useRef,
  useState,
} from 'react';
import type { MrpView } from '../../decision-protocol.ts';
import { useKeys } from '../keys.ts';
import type { PatchFile } from '../patch.ts';
import { chooseLayout, useLayout, useWords } from '../preferences.ts';
import type { Commenting } from '../review-draft.ts';
import { useViewedFiles } from '../viewed-files.ts';
import { DiffFile } from './diff.tsx';
import { FileList, matches } from './file-list.tsx';

export function Changes({
  pack,
  files,
  commenting,
}: {
  pack: MrpView;
  files: readonly PatchFile[];
  commenting: Commenting;
}) {
  const w = useWords();
  const layout = useLayout();
  const [hideWhitespace, setHideWhitespace] = useState(false);
  const [filter, setFilter] = useState('');
  const wanted = useDeferredValue(filter);
  const shown = useMemo(() => files.filter(file => matches(file, wanted)), [files, wanted]);
  const { isViewed, setViewed } = useViewedFiles(pack.run_id);
  const view = useMemo(() => ({ layout, hideWhitespace }), [layout, hideWhitespace]);
  const ids = useMemo(() => new Map(files.map((file, index) => [file, `file-${index}`])), [files]);
  const go = useCallback((file: PatchFile) => toFile(ids.get(file)!), [ids]);
  useFileKeys(shown, ids);
  return (
    <section className="section" aria-labelledby="changes">
      <div className="row changes-head">
        <h2 id="changes">{w.review.changes}</h2>
        <span className="soft">
          {w.review.viewedOf(files.filter(isViewed).length, files.length)}
          {pack.open && files.length > 0 && `. ${w.review.lineHint}`}
        </span>
        <ViewOptions hideWhitespace={hideWhitespace} setHideWhitespace={setHideWhitespace} />
      </div>
      {files.length === 0 && <p className="soft">{w.review.empty}</p>}
      <div className={files.length > 1 ? 'changes' : undefined}>
        {files.length > 1 && (
          <FileList files={shown} filter={filter} setFilter={setFilter} isViewed={isViewed} go={go} />
        )}
        <div className="stack">
          {shown.map(file => (
            <DiffFile
              key={file.path}
              id={ids.get(file)!}
              file={file}
              view={view}
              commenting={pack.open ? commenting : null}
              isViewed={isViewed(file)}
              setViewed={setViewed}
            />
          ))}
        </div>
      </div>
      {pack.patch_truncated && <p className="note caution">{w.review.truncated}</p>}
    </section>
  );
}

function ViewOptions({
  hideWhitespace,
  setHideWhitespace,
}: {
  hideWhitespace: boolean;
  setHideWhitespace: Dispatch<SetStateAction<boolean>>;
}) {
  const w = useWords();
  const layout = useLayout();
  return (
    <span className="row view-options">
      <label className="row">
        <input
          type="checkbox"
          checked={hideWhitespace}
          onChange={event => setHideWhitespace(event.target.checked)}
        />
        {w.review.hideWhitespace}
      </label>
      <label className="row wide-only">
        <input
          type="checkbox"
          checked={layout === 'split'}
          onChange={event => chooseLayout(event.target.checked ? 'split' : 'unified')}
        />
        {w.review.sideBySide}
      </label>
    </span>
  );
}

function toFile(id: string): void {
  const element = document.getElementById(id);
  element?.focus({ preventScroll: true });
  element?.scrollIntoView({ block: 'start' });
}

/** `j` and `k` move between files, from the one that contains the focus. */
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
