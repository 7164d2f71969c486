/** Asks what to do with an approved result. The approval applies only to the tree shown on the page. */

import { useState } from 'react';
import type { MrpView } from '../../../pack-protocol.ts';
import type { ApproveBody } from '../../../question-and-action-protocol.ts';
import { short } from '../../format.ts';
import { useWords } from '../../preferences.ts';
import { ConfirmDialog } from '../dialog.tsx';

const HOWS = ['merge', 'branch', 'pr'] as const;
type How = (typeof HOWS)[number];

type Approval = Omit<ApproveBody, 'tree'>;

export function ApproveDialog({
  pack: { tree, evidence, land_tests, changed },
  unsent,
  approve,
  close,
}: {
  pack: MrpView;
  /** Number of comments that would be lost by approving. */
  unsent: number;
  approve: (approval: Approval) => void;
  close: () => void;
}) {
  const w = useWords();
  const [how, setHow] = useState<How>('merge');
  const tests = evidence?.laid_in.length ?? 0;
  const [withTests, setWithTests] = useState(land_tests === 'always' && tests > 0);
  const send = () =>
    approve({ how, tests: withTests ? 'land' : 'leave', ...(changed && { accepted: changed.digest }) });
  return (
    <ConfirmDialog title={w.review.sure} yes={w.review.approve} then={send} close={close}>
      <label className="row">
        <span className="soft">{w.review.how}</span>
        <select value={how} onChange={event => setHow(event.target.value as How)}>
          {HOWS.map(one => (
            <option key={one} value={one}>
              {w.review.hows[one]}
            </option>
          ))}
        </select>
      </label>
      {tests > 0 && (
        <label className="tickbox">
          <input type="checkbox" checked={withTests} onChange={event => setWithTests(event.target.checked)} />
          <span>{w.review.withTests(tests)}</span>
        </label>
      )}
      <p>{w.review.binds(short(tree))}</p>
      {changed && (
        <div className="warn">
          <p>{w.review.changedAround}</p>
          <ul className="dotted">
            {changed.names.map(name => (
              <li key={name}>
                <code>{name}</code>
              </li>
            ))}
          </ul>
        </div>
      )}
      {unsent > 0 && <p className="warn">{w.review.unsent(unsent)}</p>}
    </ConfirmDialog>
  );
}
