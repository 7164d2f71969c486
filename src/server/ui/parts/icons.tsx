/** The page header's icons. Each has a text label. */
import type { ReactNode } from 'react';

const sign = (children: ReactNode) => (
  <svg viewBox="0 0 20 20" aria-hidden="true">
    {children}
  </svg>
);

export const bellIcon = sign(<path d="M5 14V9a5 5 0 0 1 10 0v5l1.5 1.5h-13zM8.4 17.5a1.8 1.8 0 0 0 3.2 0" />);
export const themeIcons: Readonly<Record<'auto' | 'light' | 'dark', ReactNode>> = {
  auto: sign(
    <>
      <circle cx="10" cy="10" r="6.5" />
      <path d="M10 3.5v13a6.5 6.5 0 0 0 0-13" fill="currentColor" />
    </>,
  ),
  light: sign(
    <>
      <circle cx="10" cy="10" r="3.4" />
      <path d="M10 1.8v2M10 16.2v2M1.8 10h2M16.2 10h2M4.2 4.2l1.4 1.4M14.4 14.4l1.4 1.4M4.2 15.8l1.4-1.4M14.4 5.6l1.4-1.4" />
    </>,
  ),
  dark: sign(<path d="M16.5 11.8A7 7 0 0 1 8.2 3.5a7 7 0 1 0 8.3 8.3z" />),
};
