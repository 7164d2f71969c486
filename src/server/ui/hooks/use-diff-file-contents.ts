/** Whole files of the two sides of a diff: for unchanged lines that the patch leaves out, and for images. */
import { createContext, useContext, useEffect, useState } from 'react';
import { api } from '../connection/api-client.ts';
import { type Gap, linesToShow, withLines } from '../diff/diff-rows.ts';
import type { PatchFile } from '../diff/parse-patch.ts';
import { showError } from '../parts/toast.tsx';

interface Source {
  readonly pack: number;
  readonly side: 'old' | 'new';
}
/** Where the sides of the diff come from: its base or an earlier pack, and a result. */
export interface Sides {
  readonly id: string;
  readonly before: Source;
  readonly after: Source;
}
/** Null: the diff is shown without whole files. */
export const SidesContext = createContext<Sides | null>(null);

const NONE: ReadonlySet<number> = new Set();

/** The unchanged lines that were requested for a file, and the function that requests more. */
export function useUnchangedLines(file: PatchFile) {
  const sides = useContext(SidesContext);
  const [text, setText] = useState<readonly string[] | null>(null);
  const [shown, setShown] = useState(NONE);
  const show = async (gap: Gap) => {
    if (!sides) return;
    try {
      const lines = text ?? (await linesOf(sides, file));
      setText(lines);
      setShown(now => new Set([...now, ...linesToShow(gap, lines.length)]));
    } catch (error) {
      showError(error);
    }
  };
  return { shown, text, show: sides && !file.binary ? show : null };
}

export const expanded = (
  file: PatchFile,
  { text, shown }: { text: readonly string[] | null; shown: ReadonlySet<number> },
): PatchFile => (text ? withLines(file, text, shown) : file);

async function linesOf({ id, after }: Sides, { path }: PatchFile): Promise<string[]> {
  const lines = (await (await api.packFile(id, { ...after, path })).text()).split('\n');
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}

const IMAGES: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
  bmp: 'image/bmp',
  ico: 'image/x-icon',
};
const imageType = (path: string): string | undefined =>
  IMAGES[path.slice(path.lastIndexOf('.') + 1).toLowerCase()];

/** Addresses of the image on both sides; null if there is none. */
export function useImages(file: PatchFile): { before: string | null; after: string | null } {
  const sides = useContext(SidesContext);
  const { path, from, change } = file;
  const [images, setImages] = useState<{ before: string | null; after: string | null }>({
    before: null,
    after: null,
  });
  useEffect(() => {
    const type = imageType(path);
    if (!sides || type === undefined) return;
    const made: string[] = [];
    let isGone = false;
    const load = async (source: Source, name: string) => {
      const bytes = await (await api.packFile(sides.id, { ...source, path: name })).arrayBuffer();
      const address = URL.createObjectURL(new Blob([bytes], { type }));
      made.push(address);
      return address;
    };
    const orNone = (image: Promise<string>) => image.catch(() => null);
    void Promise.all([
      change === 'added' ? null : orNone(load(sides.before, from ?? path)),
      change === 'deleted' ? null : orNone(load(sides.after, path)),
    ]).then(([before, after]) => {
      if (isGone) for (const address of made) URL.revokeObjectURL(address);
      else setImages({ before, after });
    });
    return () => {
      isGone = true;
      for (const address of made) URL.revokeObjectURL(address);
    };
  }, [sides, path, from, change]);
  return images;
}
