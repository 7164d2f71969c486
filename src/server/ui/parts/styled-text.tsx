/**
 * Shows an agent's output in its colours and font styles. `styled-text.css` makes the colours readable in both
 * themes.
 */
import { type CSSProperties, Fragment } from 'react';
import type { TextStyle } from '../../http-protocol.ts';

export function StyledText({ text, styles }: { text: string; styles: readonly TextStyle[] }) {
  return (
    <>
      {styles.map((style, i) => (
        <Fragment key={style.from}>
          {text.slice(styles[i - 1]?.to ?? 0, style.from)}
          <span className={classesOf(style)} style={coloursOf(style)}>
            {text.slice(style.from, style.to)}
          </span>
        </Fragment>
      ))}
      {text.slice(styles.at(-1)?.to ?? 0)}
    </>
  );
}

const classesOf = ({ marks, color, background }: TextStyle): string =>
  [...marks, ...(color ? ['color'] : []), ...(background ? ['background'] : [])]
    .map(name => `text-${name}`)
    .join(' ');

const coloursOf = ({ color, background }: TextStyle) =>
  ({ '--printed-color': color, '--printed-background': background }) as CSSProperties;
