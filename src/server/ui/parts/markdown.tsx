/**
 * Renders Markdown written by people and agents. Raw HTML is shown as text, images are shown as their
 * alternative text because the browser would fetch them, and only http, https and mailto links are kept.
 * Headings start below the heading levels of the page.
 */
import ReactMarkdown, { type Components, defaultUrlTransform } from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { reachable } from './focusable-scroll.ts';

const SAFE = /^(https?:|mailto:|#)/i;
const components: Components = {
  h1: ({ children }) => <h3 className="md-1">{children}</h3>,
  h2: ({ children }) => <h4 className="md-2">{children}</h4>,
  h3: ({ children }) => <h5 className="md-3">{children}</h5>,
  h4: ({ children }) => <h6 className="md-3">{children}</h6>,
  h5: ({ children }) => <p className="md-3">{children}</p>,
  h6: ({ children }) => <p className="md-3">{children}</p>,
  img: ({ alt }) => <span className="soft">[{alt || 'image'}]</span>,
  a: ({ href, children }) =>
    href && SAFE.test(href) ? (
      <a href={href} rel="noreferrer noopener" target={href.startsWith('#') ? undefined : '_blank'}>
        {children}
      </a>
    ) : (
      <span>{children}</span>
    ),
  input: ({ checked }) => <span className={checked ? 'tick ticked' : 'tick'} aria-hidden="true" />,
  table: ({ children }) => (
    <div className="md-table">
      <table>{children}</table>
    </div>
  ),
  pre: ({ children }) => <pre {...reachable}>{children}</pre>,
};
const plugins = [remarkGfm];

export default function Markdown({ text }: { text: string }) {
  return (
    <div className="md">
      <ReactMarkdown
        remarkPlugins={plugins}
        components={components}
        urlTransform={url => (SAFE.test(url) ? defaultUrlTransform(url) : '')}
      >
        {text}
      </ReactMarkdown>
    </div>
  );
}
