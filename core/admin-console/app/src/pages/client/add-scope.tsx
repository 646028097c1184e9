import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type ScopeKind, scopesOf } from '../../api/client-scopes.ts';
import { useTexts } from '../../messages/language.tsx';
import { ChoiceField } from '../../parts/field.tsx';
import { MAX_CHOICES, Picker } from '../../parts/picker.tsx';
import { texts as scopesTexts } from './scopes-texts.ts';

/**
 * Finds a client scope of the client's protocol, and assigns it.
 * @param props.without IDs of the client scopes that the client has
 */
export function AddScope(props: {
  realm: string;
  protocol: string;
  without: readonly string[];
  onAdd: (scope: { id: string; name: string }, kind: ScopeKind) => void;
}) {
  const { realm, protocol, without, onAdd } = props;
  const texts = useTexts(scopesTexts);
  const [kind, setKind] = useState<ScopeKind>('default');
  const [search, setSearch] = useState('');
  // Request more, since some may be left out.
  const max = MAX_CHOICES + without.length;
  const { data, isPlaceholderData } = useQuery(scopesOf(realm, { search, first: 0, max, protocol }));
  const choices = data
    ?.filter(({ id }) => !without.includes(id))
    .slice(0, MAX_CHOICES)
    .map(({ id, name, description }) => ({ id, name, detail: description }));
  return (
    <div className="below field-pairs">
      <ChoiceField
        label={texts.addAs}
        value={kind}
        options={[
          ['default', texts.assignments.default],
          ['optional', texts.assignments.optional],
        ]}
        onChange={(chosen) => setKind(chosen as ScopeKind)}
      />
      <Picker
        label={texts.add}
        choices={isPlaceholderData ? undefined : choices}
        nothing={texts.noScope}
        onSearch={setSearch}
        onPick={({ id, name }) => onAdd({ id, name }, kind)}
      />
    </div>
  );
}
