import type { AppKindFacts, DerivedClient, Framework } from '../../api/apps.ts';
import { useTexts } from '../../messages/language.tsx';
import { CheckField, LinesField, TextField } from '../../parts/field.tsx';
import type { AppValues } from './app-values.ts';
import { texts as connectTexts } from './texts.ts';

/** Members of an app that have a field in the form. */
export const FIELDS = [
  'name',
  'clientId',
  'url',
  'productionUrl',
  'redirectUris',
  'postLogoutRedirectUris',
  'audiences',
];
const POST_LOGOUT = 'post.logout.redirect.uris';

export function AppFields(props: {
  kind: AppKindFacts;
  framework: Framework | undefined;
  values: AppValues;
  /** The client that the host derives from the current input. */
  derived: DerivedClient | undefined;
  derivedId: string;
  errorAt: (member: string) => string | undefined;
  onChange: (change: Partial<AppValues>) => void;
}) {
  const { kind, framework, values, derived, derivedId, errorAt, onChange } = props;
  const texts = useTexts(connectTexts);
  const text = (
    name: 'name' | 'clientId' | 'url' | 'productionUrl' | 'audiences',
    value: string,
    more: object = {},
  ) => (
    <TextField
      label={texts[name]}
      help={texts.help[name]}
      error={errorAt(name)}
      value={value}
      maxLength={2000}
      onChange={({ target }) => onChange({ [name]: target.value })}
      {...more}
    />
  );
  const lines = (name: 'redirectUris' | 'postLogoutRedirectUris', standard: readonly string[]) => (
    <LinesField
      label={texts[name]}
      help={texts.help[name]}
      error={errorAt(name)}
      value={values[name] ?? standard.join('\n')}
      isReadOnly={false}
      onChange={(input) => onChange({ [name]: input })}
    />
  );
  // Without a name, no client ID is derived.
  const clientId = values.clientId ?? (values.name.trim() === '' ? '' : derivedId);
  const postLogout = derived?.client.attributes?.[POST_LOGOUT]?.split('##') ?? [];
  return (
    <>
      <div className="field-pairs">
        {text('name', values.name, { required: true })}
        {text('clientId', clientId)}
        {kind.hasUrl && text('url', values.url ?? framework?.url ?? kind.url ?? '', { inputMode: 'url' })}
        {kind.hasUrl && text('productionUrl', values.productionUrl, { inputMode: 'url' })}
        {kind.redirects && lines('redirectUris', derived?.client.redirectUris ?? [])}
        {kind.hasUrl && lines('postLogoutRedirectUris', postLogout)}
      </div>
      <fieldset className="checks">
        <legend>{texts.options}</legend>
        <CheckField
          label={texts.groups}
          isOn={values.groups ?? framework?.groups ?? false}
          isReadOnly={framework?.groups === true}
          onTurn={(groups) => onChange({ groups })}
        />
        {kind.redirects && (
          <CheckField
            label={texts.offlineAccess}
            isOn={values.offlineAccess}
            onTurn={(offlineAccess) => onChange({ offlineAccess })}
          />
        )}
      </fieldset>
      {kind.id !== 'api' && text('audiences', values.audiences)}
    </>
  );
}
