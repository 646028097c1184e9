import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { encodeSegment } from '../address.ts';
import { request } from '../api/request.ts';
import { useTexts } from '../messages/language.tsx';
import { useDebounced } from '../palette/use-debounced.ts';
import { TextField } from './field.tsx';
import { texts as mapperTexts } from './mapper-texts.ts';

const MAX = 20;

interface Named {
  readonly name?: string;
  readonly clientId?: string;
}

/** The name of a role or client: any name can be typed, and the host's matches are suggested. */
export function SuggestedField(props: {
  realm: string;
  of: 'Role' | 'ClientList';
  label: string;
  value: string;
  help?: string | undefined;
  required: boolean;
  isReadOnly: boolean;
  onChange: (value: string) => void;
}) {
  const { realm, of, label, value, required, isReadOnly, onChange } = props;
  const id = useId();
  const strings = useTexts(mapperTexts);
  const isRole = of === 'Role';
  const search = useDebounced(value);
  const { data = [] } = useQuery({
    queryKey: ['realm', realm, 'suggested', of, search],
    queryFn: async ({ signal }) => {
      const query = isRole ? { search, max: MAX } : { clientId: search, search: true, max: MAX };
      const path = `/realms/${encodeSegment(realm)}/${isRole ? 'roles' : 'clients'}`;
      const found = await request<readonly Named[]>(path, { query, roles: [], signal });
      return found.map(({ name = '', clientId = '' }) => (isRole ? name : clientId));
    },
    enabled: !isReadOnly,
    // Users who may not see them can still type a name.
    retry: false,
  });
  return (
    <>
      <TextField
        label={label}
        help={[props.help, isRole && strings.roleHelp].filter(Boolean).join(' ')}
        value={value}
        required={required}
        readOnly={isReadOnly}
        list={id}
        onChange={({ target }) => onChange(target.value)}
      />
      <datalist id={id}>
        {data.map((one) => (
          <option key={one} value={one} />
        ))}
      </datalist>
    </>
  );
}
