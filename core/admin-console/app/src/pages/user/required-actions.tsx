import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { changeUser, requiredActionsOf, userKey } from '../../api/users.ts';
import { useTexts } from '../../messages/language.tsx';
import { Outcome } from '../../parts/outcome.tsx';
import { useChange } from '../../parts/use-change.ts';
import { texts as signInTexts } from './sign-in-texts.ts';
import type { UserSectionProps } from './user-frame.tsx';

/** The actions that the user must complete at the next sign-in. */
export function RequiredActions({ realm, user, tag }: UserSectionProps) {
  const texts = useTexts(signInTexts);
  const { data: known = [] } = useQuery(requiredActionsOf(realm));
  const [chosen, setChosen] = useState('');
  const { run, isBusy, done, failure } = useChange(userKey(realm, user.id));
  const { requiredActions, access } = user;
  const nameOf = (alias: string) => known.find((one) => one.alias === alias)?.name ?? alias;
  const addable = known.filter(({ alias, enabled }) => enabled && !requiredActions.includes(alias));
  const change = (actions: readonly string[]) => () =>
    changeUser(realm, user.id, { change: { requiredActions: actions }, ifMatch: tag });
  return (
    <section>
      <h2>{texts.actions}</h2>
      <div className="card fields">
        <p className="help">{texts.actionsHelp}</p>
        {requiredActions.length === 0 ? (
          <p>{texts.noActions}</p>
        ) : (
          <ul className="chips">
            {requiredActions.map((alias) => (
              <li key={alias} className="chip">
                {nameOf(alias)}
                {access.manage && (
                  <button
                    type="button"
                    aria-label={texts.dropAction(nameOf(alias))}
                    disabled={isBusy}
                    onClick={() =>
                      run(change(requiredActions.filter((one) => one !== alias)), texts.unasked(nameOf(alias)))
                    }
                  >
                    ×
                  </button>
                )}
              </li>
            ))}
          </ul>
        )}
        {access.manage && addable.length > 0 && (
          <div className="one-line">
            <label>
              <span className="unseen">{texts.addAction}</span>
              <select value={chosen} onChange={({ target }) => setChosen(target.value)}>
                <option value="">{texts.chooseAction}</option>
                {addable.map(({ alias, name }) => (
                  <option key={alias} value={alias}>
                    {name}
                  </option>
                ))}
              </select>
            </label>
            <button
              type="button"
              disabled={chosen === '' || isBusy}
              onClick={() =>
                run(change([...requiredActions, chosen]), texts.asked(nameOf(chosen)), () => setChosen(''))
              }
            >
              {texts.ask}
            </button>
          </div>
        )}
        <Outcome done={done} failure={failure} />
      </div>
    </section>
  );
}
