import { useState } from 'react';
import type { Plan, Problem, RealmPlan } from '../../api/realm-files.ts';
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
  const strings = useTexts(texts);
  const { realm, plan, isCurrent, isBusy, onApply } = props;
  const [isConfirming, setConfirming] = useState(false);
  const realmPlan = plan.realms.find((one) => one.realm === realm);
  const others = plan.realms.filter((one) => one !== realmPlan).map((one) => one.realm);
  if (realmPlan === undefined) {
    return (
      <section className="notice notice-bad" role="alert">
        <h2>{strings.notThisRealm(realm)}</h2>
        <p>{strings.notThisRealmLead}</p>
      </section>
    );
  }
  const count = realmPlan.changes.length + realmPlan.left;
  const isBlocked = (realmPlan.references ?? []).length > 0;
  return (
    <section className="plan">
      <h2>{strings.planned}</h2>
      {realmPlan.version === undefined && <p>{strings.isNew(realm)}</p>}
      {others.length > 0 && <p>{strings.otherRealms(others.join(', '))}</p>}
      <Findings plan={realmPlan} />
      {count === 0 ? <p className="nothing">{strings.nothing}</p> : <Changes plan={realmPlan} />}
      {realmPlan.edits.length > 0 && (
        <details>
          <summary>{strings.staying(realmPlan.edits.length)}</summary>
          <ChangeList label={strings.staying(realmPlan.edits.length)} changes={realmPlan.edits} left={0} />
        </details>
      )}
      {!isCurrent && <p className="help">{strings.stale}</p>}
      <p className="actions">
        <button
          type="button"
          className="primary"
          disabled={isBusy || !isCurrent || isBlocked || count === 0}
          onClick={() => setConfirming(true)}
        >
          {strings.apply}
        </button>
      </p>
      {isConfirming && (
        <Confirm
          title={strings.applyTo(realm)}
          action={strings.apply}
          isDangerous
          isBusy={isBusy}
          onConfirm={() => onApply(() => setConfirming(false))}
          onClose={() => setConfirming(false)}
        >
          <p>{strings.applyMeans(count)}</p>
          {realmPlan.isBeside === true && <p>{strings.besidePlan}</p>}
        </Confirm>
      )}
    </section>
  );
}

/** Counts by type, then each change. */
function Changes({ plan: { counts, changes, left } }: { plan: RealmPlan }) {
  const strings = useTexts(texts);
  return (
    <>
      <ul className="counts">
        {counts.map(({ kind, created, changed, removed }) => (
          <li key={kind}>
            <strong>{kind === 'realm' ? strings.settings : kind}</strong>:{' '}
            {[
              created > 0 && strings.created(created),
              changed > 0 && strings.changed(changed),
              removed > 0 && strings.removed(removed),
            ]
              .filter(Boolean)
              .join(', ')}
          </li>
        ))}
      </ul>
      <ChangeList label={strings.changes} changes={changes} left={left} />
    </>
  );
}

/**
 * The findings of a plan: unresolved references, which prevent applying it, parts without effect, and conflicts. It has
 * a note if the document differs from the realm's file.
 */
function Findings({ plan: { references = [], conflicts, isBeside, warnings = [] } }: { plan: RealmPlan }) {
  const strings = useTexts(texts);
  return (
    <>
      {references.length > 0 && (
        <section className="notice notice-bad">
          <h3>{strings.references}</h3>
          <LocatedList problems={references} />
        </section>
      )}
      {warnings.length > 0 && (
        <details className="notice notice-warning">
          <summary>{strings.warnings(warnings.length)}</summary>
          <LocatedList problems={warnings} />
        </details>
      )}
      {conflicts.length > 0 && (
        <section className="notice notice-warning">
          <h3>{strings.conflictsPlanned}</h3>
          <ul>
            {conflicts.map(({ path, sentence }) => (
              <li key={path.join('/')}>{sentence}</li>
            ))}
          </ul>
        </section>
      )}
      {isBeside === true && <p className="notice notice-warning">{strings.besidePlan}</p>}
    </>
  );
}

function LocatedList({ problems }: { problems: readonly Problem[] }) {
  const strings = useTexts(texts);
  return (
    <ul>
      {problems.map(({ line, column, path, message }) => (
        <li key={`${line}:${column} ${path} ${message}`}>
          {strings.place(line, column)} <code>{path}</code> {message}
        </li>
      ))}
    </ul>
  );
}
