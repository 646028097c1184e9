import { useState } from 'react';
import type { Plan, RealmPlan } from '../../api/realm-files.ts';
import { useTexts } from '../../messages/language.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { ChangeList } from './change-list.tsx';
import { texts } from './texts.ts';

/**
 * The changes that applying a document would make, with a button to apply it.
 * @param props.isCurrent false if the document was changed since
 * @param props.onApply called after confirmation; it calls `done` when it has finished
 */
export function PlanView(props: {
  realm: string;
  plan: Plan;
  isCurrent: boolean;
  isBusy: boolean;
  onApply: (done: () => void) => void;
}) {
  const told = useTexts(texts);
  const { realm, plan, isCurrent, isBusy, onApply } = props;
  const [isAsked, setAsked] = useState(false);
  const own = plan.realms.find((one) => one.realm === realm);
  const others = plan.realms.filter((one) => one !== own).map((one) => one.realm);
  if (own === undefined) {
    return (
      <section className="notice notice-bad" role="alert">
        <h2>{told.notThisRealm(realm)}</h2>
        <p>{told.notThisRealmLead}</p>
      </section>
    );
  }
  const count = own.changes.length + own.left;
  const isBlocked = (own.references ?? []).length > 0;
  return (
    <section className="plan">
      <h2>{told.planned}</h2>
      {own.version === undefined && <p>{told.isNew(realm)}</p>}
      {others.length > 0 && <p>{told.otherRealms(others.join(', '))}</p>}
      <Findings plan={own} />
      {count === 0 ? <p className="nothing">{told.nothing}</p> : <Changes plan={own} />}
      {own.edits.length > 0 && (
        <details>
          <summary>{told.staying(own.edits.length)}</summary>
          <ChangeList label={told.staying(own.edits.length)} changes={own.edits} left={0} />
        </details>
      )}
      {!isCurrent && <p className="help">{told.stale}</p>}
      <p className="actions">
        <button
          type="button"
          className="primary"
          disabled={isBusy || !isCurrent || isBlocked || count === 0}
          onClick={() => setAsked(true)}
        >
          {told.apply}
        </button>
      </p>
      {isAsked && (
        <Confirm
          title={told.applyTo(realm)}
          action={told.apply}
          isDangerous
          isBusy={isBusy}
          onConfirm={() => onApply(() => setAsked(false))}
          onClose={() => setAsked(false)}
        >
          <p>{told.applyMeans(count)}</p>
          {own.isBeside === true && <p>{told.besidePlan}</p>}
        </Confirm>
      )}
    </section>
  );
}

/** Counts by type, then each change. */
function Changes({ plan: { counts, changes, left } }: { plan: RealmPlan }) {
  const told = useTexts(texts);
  return (
    <>
      <ul className="counts">
        {counts.map(({ kind, created, changed, removed }) => (
          <li key={kind}>
            <strong>{kind === 'realm' ? told.settings : kind}</strong>:{' '}
            {[
              created > 0 && told.created(created),
              changed > 0 && told.changed(changed),
              removed > 0 && told.removed(removed),
            ]
              .filter(Boolean)
              .join(', ')}
          </li>
        ))}
      </ul>
      <ChangeList label={told.changes} changes={changes} left={left} />
    </>
  );
}

/** Reasons why it cannot be applied, and edits that it overwrites. */
function Findings({ plan: { references = [], conflicts, isBeside } }: { plan: RealmPlan }) {
  const told = useTexts(texts);
  return (
    <>
      {references.length > 0 && (
        <section className="notice notice-bad">
          <h3>{told.references}</h3>
          <ul>
            {references.map(({ line, column, path, message }) => (
              <li key={`${line}:${column} ${path}`}>
                {told.place(line, column)} <code>{path}</code> {message}
              </li>
            ))}
          </ul>
        </section>
      )}
      {conflicts.length > 0 && (
        <section className="notice notice-warning">
          <h3>{told.conflictsPlanned}</h3>
          <ul>
            {conflicts.map(({ path, sentence }) => (
              <li key={path.join('/')}>{sentence}</li>
            ))}
          </ul>
        </section>
      )}
      {isBeside === true && <p className="notice notice-warning">{told.besidePlan}</p>}
    </>
  );
}
