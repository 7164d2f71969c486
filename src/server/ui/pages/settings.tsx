/** `/settings`: the five configuration files as forms, and a button to sign out. */
import { useMutation, useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'wouter';
import { api } from '../connection/api-client.ts';
import { forgetToken } from '../connection/session.ts';
import { lock } from '../connection/socket.ts';
import { SubmitButton } from '../parts/button-needing-connection.tsx';
import { ConfigFileForm } from '../parts/config-file-form.tsx';
import { QueryResult } from '../parts/query-result.tsx';
import { showToast } from '../parts/toast.tsx';
import { useWords } from '../preferences.ts';
import { useTitle } from '../tab-title.ts';

export default function Settings() {
  const w = useWords();
  useTitle(w.places.settings);
  const config = useQuery({ queryKey: ['config'], queryFn: api.config, staleTime: Number.POSITIVE_INFINITY });
  const [params, setParams] = useSearchParams();
  return (
    <>
      <div className="head">
        <div>
          <h1>{w.places.settings}</h1>
          <p className="about">{w.settings.lead}</p>
        </div>
        <SignOut />
      </div>
      <QueryResult of={config}>
        {files => {
          const file = files.find(one => one.name === params.get('file')) ?? files[0]!;
          return (
            <div className="settings">
              <nav aria-label={w.settings.files}>
                <ul className="files">
                  {files.map(one => (
                    <li key={one.name}>
                      <button
                        type="button"
                        className="plain"
                        aria-current={one === file}
                        onClick={() => setParams({ file: one.name }, { replace: true })}
                      >
                        {w.setting(one.name)?.[0] ?? one.name}
                        {one.problem && <span className="bad"> !</span>}
                      </button>
                    </li>
                  ))}
                </ul>
              </nav>
              <ConfigFileForm key={file.name} file={file} />
            </div>
          );
        }}
      </QueryResult>
    </>
  );
}

function SignOut() {
  const w = useWords();
  const signOut = useMutation({
    mutationFn: api.signOut,
    onSuccess() {
      forgetToken();
      lock();
    },
    onError: error => showToast(error.message),
  });
  return (
    <SubmitButton
      title={w.settings.signOutHint}
      disabled={signOut.isPending}
      onClick={() => signOut.mutate()}
    >
      {w.settings.signOut}
    </SubmitButton>
  );
}
