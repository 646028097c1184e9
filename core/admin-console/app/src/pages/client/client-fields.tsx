import { useTexts } from '../../messages/language.tsx';
import { CheckField, LinesField, TextField } from '../../parts/field.tsx';
import { CLIENT_KINDS, type ClientKind } from '../clients/client-kind.ts';
import { type ClientValues, FLOWS } from './client-values.ts';
import { texts as clientTexts } from './texts.ts';

const PKCES = ['', 'S256', 'plain'] as const;

export function ClientFields(props: {
  value: ClientValues;
  isReadOnly: boolean;
  onChange: (change: Partial<ClientValues>) => void;
}) {
  const { value, isReadOnly, onChange } = props;
  const texts = useTexts(clientTexts);
  const text = (name: 'name' | 'description' | 'rootUrl' | 'baseUrl') => (
    <TextField
      label={texts[name]}
      value={value[name]}
      readOnly={isReadOnly}
      onChange={({ target }) => onChange({ [name]: target.value })}
    />
  );
  const lines = (name: 'redirectUris' | 'webOrigins', help: string) => (
    <LinesField
      label={texts[name]}
      help={help}
      value={value[name]}
      isReadOnly={isReadOnly}
      onChange={(input) => onChange({ [name]: input })}
    />
  );
  return (
    <>
      <CheckField
        label={texts.isEnabled}
        isOn={value.enabled}
        isReadOnly={isReadOnly}
        onTurn={(enabled) => onChange({ enabled })}
      />
      <div className="field-pairs">
        {text('name')}
        {text('description')}
        {text('rootUrl')}
        {text('baseUrl')}
        {lines('redirectUris', texts.redirectHelp)}
        {lines('webOrigins', texts.originsHelp)}
        <label>
          {texts.kind}
          <select
            value={value.kind}
            disabled={isReadOnly}
            onChange={({ target }) => onChange({ kind: target.value as ClientKind })}
          >
            {CLIENT_KINDS.map((kind) => (
              <option key={kind} value={kind}>
                {texts.kinds[kind]}
              </option>
            ))}
          </select>
        </label>
        <label>
          {texts.pkce}
          <select value={value.pkce} disabled={isReadOnly} onChange={({ target }) => onChange({ pkce: target.value })}>
            {PKCES.map((method) => (
              <option key={method} value={method}>
                {texts.pkces[method]}
              </option>
            ))}
          </select>
        </label>
        <TextField
          label={texts.lifespan}
          help={texts.lifespanHelp}
          inputMode="numeric"
          value={value.lifespan}
          readOnly={isReadOnly}
          onChange={({ target }) => onChange({ lifespan: target.value.trim() })}
        />
      </div>
      <fieldset className="checks">
        <legend>{texts.flows}</legend>
        {FLOWS.map((flow) => (
          <CheckField
            key={flow}
            label={texts[flow]}
            isOn={value[flow]}
            isReadOnly={isReadOnly}
            onTurn={(isOn) => onChange({ [flow]: isOn })}
          />
        ))}
      </fieldset>
    </>
  );
}
