/** Fetches whole files of both sides of a diff: for unchanged lines that the patch omits, and for images. */
import { createContext, useContext, useEffect, useState } from 'react';
import { api } from '../connection/api-client.ts';
import { type Gap, linesToShow, withLines } from '../diff/diff-rows.ts';
import type { PatchFile } from '../diff/parse-patch.ts';
import { showError } from '../parts/toast.tsx';

interface Source {
  readonly pack: number;
  readonly side: 'old' | 'new';
}
/** Where the sides of the diff come from: one from base or an earlier pack, the other from a result. */
export interface Sides {
  readonly id: string;
  readonly before: Source;
  readonly after: Source;
}
/** Null if the diff is shown without whole files. */
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
export const isImage = ({ path }: PatchFile): boolean => imageType(path) !== undefined;

/** URL of the image on one side of the diff; undefined while it is being fetched, null if it cannot be shown. */
export function useImage(side: 'before' | 'after', path: string): string | null | undefined {
  const sides = useContext(SidesContext);
  const [image, setImage] = useState<string | null>();
  useEffect(() => {
    let address: string | null = null;
    let isGone = false;
    const load = async ({ id, ...source }: Sides) => {
      const bytes = await (await api.packFile(id, { ...source[side], path })).arrayBuffer();
      if (isGone) return;
      address = URL.createObjectURL(new Blob([bytes], { type: imageType(path) ?? '' }));
      setImage(address);
    };
    if (sides) load(sides).catch(() => isGone || setImage(null));
    else setImage(null);
    return () => {
      isGone = true;
      if (address) URL.revokeObjectURL(address);
    };
  }, [sides, side, path]);
  return image;
}
