/** Both versions of an image in a diff. */
import { spelledOut } from '../../../../core/text/markdown-quote.ts';
import type { PatchFile } from '../../diff/parse-patch.ts';
import { isImage, useImage } from '../../hooks/use-diff-file-contents.ts';
import { useWords } from '../../preferences.ts';

export function ImageDiff({ file }: { file: PatchFile }) {
  const w = useWords();
  if (!isImage(file)) return <p className="file-note soft">{w.review.binary}</p>;
  return (
    <div className="images">
      {file.change !== 'added' && <Side side="before" path={file.from ?? file.path} />}
      {file.change !== 'deleted' && <Side side="after" path={file.path} />}
    </div>
  );
}

/** The frame keeps its height while the image loads, so that the lines below it stay in place. */
function Side({ side, path }: { side: 'before' | 'after'; path: string }) {
  const w = useWords();
  const src = useImage(side, path);
  const name = w.review[side](spelledOut(path));
  return (
    <figure>
      <div className="image-frame">
        {src && <img src={src} alt={name} />}
        {src === null && <p className="soft">{w.review.binary}</p>}
      </div>
      <figcaption className={side === 'before' ? 'bad' : 'good'}>{name}</figcaption>
    </figure>
  );
}
