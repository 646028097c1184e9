import { type ChangeEvent, useState } from 'react';
import type { MintRequest, TokenType } from '../../api/action-tokens.ts';
import { ApiFailure } from '../../api/failure.ts';
import type { ListedUser } from '../../api/users.ts';
import { SchemaForm } from '../../form/schema-form.tsx';
import { useUnsaved } from '../../frame/unsaved.ts';
import { useTexts } from '../../messages/language.tsx';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { TextField } from '../../parts/field.tsx';
import { Duration } from '../../parts/time.tsx';
import { useFocusWhen } from '../../parts/use-focus-when.ts';
import { UserPicker } from '../../parts/user-picker.tsx';
import { texts } from '../action-tokens/texts.ts';

const NO_CLAIMS = { type: 'object', properties: {} } as const;
const NOTHING = {};

/** A form for a link's user, type, and the claims that its handler requires. */
export function MintForm(props: {
  realm: string;
  types: readonly TokenType[];
  isBusy: boolean;
  failure: Error | null;
  onMint: (user: ListedUser, request: MintRequest) => void;
}) {
  const strings = useTexts(texts);
  const { realm, types, isBusy, failure, onMint } = props;
  const [user, setUser] = useState<ListedUser>();
  const [isSubmitted, setSubmitted] = useState(false);
  const [typeId, setTypeId] = useState('');
  const [typed, setTyped] = useState({ lifespan: '', clientId: '', redirectUri: '' });
  const type = types.find(({ id }) => id === typeId) ?? types[0];
  const outcome = useFocusWhen<HTMLDivElement>(failure !== null);
  useUnsaved(user !== undefined || Object.values(typed).some((text) => text !== ''));
  if (type === undefined) return null;
  const errors = failure instanceof ApiFailure ? failure.errors : [];
  const mint = (claims: Readonly<Record<string, unknown>>) => {
    setSubmitted(true);
    if (user === undefined) return;
    const { lifespan, clientId, redirectUri } = typed;
    onMint(user, {
      type: type.id,
      claims,
      ...(lifespan === '' ? {} : { lifespan: Number(lifespan) }),
      ...(clientId === '' ? {} : { clientId }),
      ...(redirectUri === '' || type.id !== 'execute-actions' ? {} : { redirectUri }),
    });
  };
  const field = (name: keyof typeof typed) => ({
    value: typed[name],
    onChange: ({ target }: ChangeEvent<HTMLInputElement>) => setTyped({ ...typed, [name]: target.value }),
  });
  return (
    <div className="card form-card mint">
      <div>
        <UserPicker
          realm={realm}
          label={strings.forUser}
          nothing={strings.noUser}
          chosen={user?.username ?? ''}
          onPick={setUser}
        />
        {isSubmitted && user === undefined && (
          <p className="field-errors" role="alert">
            {strings.needsUser}
          </p>
        )}
      </div>
      <div className="field">
        <label>
          {strings.type}
          <select value={type.id} onChange={({ target }) => setTypeId(target.value)}>
            {types.map(({ id, displayName }) => (
              <option key={id} value={id}>
                {displayName ?? id}
              </option>
            ))}
          </select>
        </label>
        {type.helpText !== undefined && <p className="help">{type.helpText}</p>}
      </div>
      <TextField
        label={strings.lifespan}
        help={
          <>
            {strings.usual}: <Duration milliseconds={type.lifespan * 1000} />; {strings.most}:{' '}
            <Duration milliseconds={type.maxLifespan * 1000} />
          </>
        }
        type="number"
        min={1}
        {...field('lifespan')}
      />
      <TextField label={strings.forClient} help={strings.forClientHelp} {...field('clientId')} />
      {type.id === 'execute-actions' && (
        <TextField label={strings.redirectUri} help={strings.redirectUriHelp} {...field('redirectUri')} />
      )}
      <SchemaForm
        key={type.id}
        schema={type.claims ?? NO_CLAIMS}
        value={NOTHING}
        action={strings.mint}
        errors={errors}
        isBusy={isBusy}
        onSave={mint}
      />
      <div className="outcome" tabIndex={-1} ref={outcome}>
        {failure !== null && errors.length === 0 && <FailureNotice failure={failure} />}
      </div>
    </div>
  );
}
