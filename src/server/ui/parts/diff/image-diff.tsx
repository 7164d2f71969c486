/** Both versions of an image in a diff. */
import { spelledOut } from '../../../../core/text/markdown-quote.ts';
import type { PatchFile } from '../../diff/parse-patch.ts';
import { useImages } from '../../hooks/use-diff-file-contents.ts';
import { useWords } from '../../preferences.ts';

export function ImageDiff({ file }: { file: PatchFile }) {
  const w = useWords();
  const { before, after } = useImages(file);
  if (!before && !after) return <p className="file-note soft">{w.review.binary}</p>;
  return (
    <div className="images">
      {before && <Side src={before} name={w.review.before(spelledOut(file.from ?? file.path))} tone="bad" />}
      {after && <Side src={after} name={w.review.after(spelledOut(file.path))} tone="good" />}
    </div>
  );
}

const Side = ({ src, name, tone }: { src: string; name: string; tone: string }) => (
  <figure>
    <img src={src} alt={name} />
    <figcaption className={tone}>{name}</figcaption>
  </figure>
);
