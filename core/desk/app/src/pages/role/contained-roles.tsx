import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { containedRoles, containRole, type ListedRole, releaseRole, roleKey, rolesOf } from '../../api/roles.ts';
import { useTexts } from '../../messages/language.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Outcome } from '../../parts/outcome.tsx';
import { MOST_CHOICES, Picker } from '../../parts/picker.tsx';
import { useChange } from '../../parts/use-change.ts';
import type { OfRole } from './role-page.tsx';
import { texts as roleTexts } from './texts.ts';

/** The roles that come with this one. */
export function ContainedRoles({ realm, role, canManage }: OfRole) {
  const texts = useTexts(roleTexts);
  const contained = useQuery(containedRoles(realm, role.id));
  const { run, isBusy, done, failure } = useChange(roleKey(realm, role.id));
  return (
    <section>
      <h2>{texts.contained}</h2>
      <div className="card fields">
        <p className="help">{texts.containedHelp}</p>
        <Loaded query={contained}>
          {(roles) => (
            <>
              {roles.length === 0 ? (
                <p className="nothing">{texts.noContained}</p>
              ) : (
                <ul className="chips">
                  {roles.map((one) => (
                    <li key={one.id} className="chip">
                      {one.name}
                      {canManage && (
                        <button
                          type="button"
                          aria-label={texts.takeAway(one.name)}
                          disabled={isBusy}
                          onClick={() => run(() => releaseRole(realm, role.id, one), texts.takenAway(one.name))}
                        >
                          ×
                        </button>
                      )}
                    </li>
                  ))}
                </ul>
              )}
              {canManage && (
                <OtherRoles
                  realm={realm}
                  without={[role, ...roles]}
                  onPick={(one) => run(() => containRole(realm, role.id, one), texts.added(one.name))}
                />
              )}
            </>
          )}
        </Loaded>
        <Outcome done={done} failure={failure} />
      </div>
    </section>
  );
}

/** Finds one of the realm roles that are not among these. */
function OtherRoles(props: {
  realm: string;
  without: readonly Pick<ListedRole, 'id'>[];
  onPick: (role: ListedRole) => void;
}) {
  const { realm, without, onPick } = props;
  const texts = useTexts(roleTexts);
  const [search, setSearch] = useState('');
  // As many more as may be left out.
  const max = MOST_CHOICES + without.length;
  const { data, isPlaceholderData } = useQuery(rolesOf(realm, { search, first: 0, max }));
  const others = data?.filter(({ id }) => !without.some((one) => one.id === id)).slice(0, MOST_CHOICES);
  return (
    <Picker
      label={texts.add}
      choices={isPlaceholderData ? undefined : others}
      nothing={texts.noRole}
      onSearch={setSearch}
      onPick={onPick}
    />
  );
}
