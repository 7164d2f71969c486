/** Opens the session, the cache and the socket, then renders the web UI. */
import { QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createRoot } from 'react-dom/client';
import { navigate } from 'wouter/use-browser-location';
import { App } from './app.tsx';
import { Refusal } from './connection/refusal-error.ts';
import { forgetToken, openSession } from './connection/session.ts';
import { connectSocket, lock } from './connection/socket.ts';
import { notify } from './desktop-notifications.ts';
import './style/base.css';
import './style/frame.css';
import './style/components.css';
import './style/run-lists.css';
import './style/new-run.css';
import './style/run.css';
import './style/agents.css';
import './style/styled-text.css';
import './style/question.css';
import './style/review.css';
import './style/diff.css';
import './style/diff-margin.css';
import './style/settings.css';
import './style/markdown.css';

const RETRIES = 2;
const client = new QueryClient({
  queryCache: new QueryCache({
    onError(error) {
      if (!(error instanceof Refusal && error.status === 401)) return;
      forgetToken();
      lock();
    },
  }),
  defaultOptions: {
    // The server is on this machine, so it is reachable even when the browser is offline.
    queries: {
      networkMode: 'always',
      staleTime: 2000,
      retry: (count, error) => !(error instanceof Refusal) && count < RETRIES,
      retryDelay: 700,
    },
    mutations: { networkMode: 'always', retry: false },
  },
});

if (await openSession()) connectSocket(client, notice => notify(notice, navigate));
else lock();
createRoot(document.getElementById('page')!).render(
  <QueryClientProvider client={client}>
    <App />
  </QueryClientProvider>,
);
