/** Puts the frames of the tour into a window, with a caption and the pointer. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

const [BAR, CAPTION] = [26, 44];

const WINDOW = ({ width, height }) => `<!doctype html><style>
body { margin: 0; background: #1d2129; width: ${width}px; position: relative }
#bar { height: ${BAR}px; display: flex; gap: 7px; align-items: center; padding-left: 12px }
#bar i { width: 10px; height: 10px; border-radius: 50%; background: #4a5160 }
img { display: block; width: ${width}px; height: ${height}px }
#caption { height: ${CAPTION}px; font: 600 17px/${CAPTION}px system-ui, sans-serif; color: #f2f4f8; text-align: center }
svg { position: absolute; width: 20px; height: 28px }
</style>
<div id="bar"><i></i><i></i><i></i></div><img alt=""><div id="caption"></div>
<svg viewBox="0 0 20 28"><path d="M1 1v20l5-4.4 3.4 8 3.8-1.6-3.4-7.8 7-.6z" fill="#111" stroke="#fff" stroke-width="1.6"/></svg>`;

/**
 * Writes each frame `{ png, caption, pointer, ms }` as a PNG in `top`, and returns them as arguments of
 * img2webp. Consecutive equal frames are merged into one.
 */
export async function composed({ browser, top }, frames, viewport) {
  const context = await browser.newContext({
    viewport: { width: viewport.width, height: viewport.height + BAR + CAPTION },
  });
  const page = await context.newPage();
  await page.setContent(WINDOW(viewport));
  const pictures = [];
  for (const { png, caption, pointer, ms } of frames) {
    await page.evaluate(
      async ([src, text, x, y]) => {
        const image = document.querySelector('img');
        image.src = src;
        await image.decode();
        document.querySelector('#caption').textContent = text;
        Object.assign(document.querySelector('svg').style, { left: `${x}px`, top: `${y}px` });
      },
      [`data:image/png;base64,${png.toString('base64')}`, caption, pointer.x, pointer.y + BAR],
    );
    const picture = await page.screenshot();
    const last = pictures.at(-1);
    if (last?.picture.equals(picture)) last.ms += ms;
    else pictures.push({ picture, ms });
  }
  await context.close();
  return pictures.flatMap(({ picture, ms }, index) => {
    const file = join(top, `${index}.png`);
    writeFileSync(file, picture);
    return ['-d', String(ms), file];
  });
}
