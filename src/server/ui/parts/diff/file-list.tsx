/** The changed files by folder, with a filter, how many lines were added and deleted, and whether each was viewed. */
import { spelledOut } from '../../../../core/text/markdown-quote.ts';
import type { Marks } from '../../diff/defended-lines.ts';
import type { PatchFile } from '../../diff/parse-patch.ts';
import { useWords } from '../../preferences.ts';
import { LineStrip } from './defended-lines-margin.tsx';

export function FileList({
  files,
  marks,
  filter,
  setFilter,
  isViewed,
  go,
}: {
  files: readonly PatchFile[];
  marks: Marks;
  filter: string;
  setFilter: (filter: string) => void;
  isViewed: (file: PatchFile) => boolean;
  go: (file: PatchFile) => void;
}) {
  const w = useWords();
  return (
    <nav className="file-list" aria-label={w.review.fileList}>
      <input
        type="search"
        value={filter}
        placeholder={w.review.filter}
        aria-label={w.review.filter}
        onChange={event => setFilter(event.target.value)}
      />
      {[...byFolder(files)].map(([folder, inside]) => (
        <div key={folder}>
          {folder !== '' && <p className="soft mono folder">{spelledOut(folder)}</p>}
          <ul>
            {inside.map(file => (
              <li key={file.path}>
                <button
                  type="button"
                  className={`plain small mono ${isViewed(file) ? 'soft' : ''}`}
                  title={spelledOut(file.path)}
                  onClick={() => go(file)}
                >
                  <span className="file-name">{spelledOut(file.path.slice(folder.length))}</span>
                  {isViewed(file) && (
                    <span>
                      ✓<span className="unseen">{w.review.viewed}</span>
                    </span>
                  )}
                  <span className="good">+{file.added}</span>
                  <span className="bad">−{file.deleted}</span>
                </button>
                {marks.has(file.path) && <LineStrip {...marks.get(file.path)!} />}
              </li>
            ))}
          </ul>
        </div>
      ))}
      {files.length === 0 && <p className="soft">{w.review.noMatch}</p>}
    </nav>
  );
}

function byFolder(files: readonly PatchFile[]): Map<string, PatchFile[]> {
  const folders = new Map<string, PatchFile[]>();
  for (const file of files) {
    const folder = file.path.slice(0, file.path.lastIndexOf('/') + 1);
    folders.set(folder, [...(folders.get(folder) ?? []), file]);
  }
  return folders;
}

/** The files in the order of the list. */
export const inFolders = (files: readonly PatchFile[]): PatchFile[] => [...byFolder(files).values()].flat();

/** Whether the name of a file, or a line of its diff, contains the text. */
export function matches(file: PatchFile, filter: string): boolean {
  const wanted = filter.trim().toLowerCase();
  return (
    wanted === '' ||
    file.path.toLowerCase().includes(wanted) ||
    file.hunks.some(hunk => hunk.lines.some(line => line.text.toLowerCase().includes(wanted)))
  );
}
