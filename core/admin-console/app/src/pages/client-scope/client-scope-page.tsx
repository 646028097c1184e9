import { useMemo } from 'react';
import { type ClientScope, changeScope, type ScopeChange, scopesKey } from '../../api/client-scopes.ts';
import { useTexts } from '../../messages/language.tsx';
import { EditedForm } from '../../parts/edited-form.tsx';
import { Facts } from '../../parts/facts.tsx';
import { CheckField, TextField } from '../../parts/field.tsx';
import { useSaving } from '../../parts/use-saving.ts';
import { texts as scopesTexts } from '../client-scopes/texts.ts';
import { ScopeFrame, type ScopeSectionProps } from './scope-frame.tsx';
import { texts as scopeTexts } from './texts.ts';

/** Attributes of a client scope, by the members of the form. */
const ATTRIBUTES = {
  asksForConsent: 'display.on.consent.screen',
  consentText: 'consent.screen.text',
  isInTokenScope: 'include.in.token.scope',
  order: 'gui.order',
} as const;

interface Values {
  readonly name: string;
  readonly description: string;
  readonly asksForConsent: boolean;
  readonly consentText: string;
  readonly isInTokenScope: boolean;
  readonly order: string;
}

export default function ClientScopePage({ realm, id }: { realm: string; id: string }) {
  const texts = useTexts(scopeTexts);
  const protocols: Readonly<Record<string, string>> = useTexts(scopesTexts).protocols;
  return (
    <ScopeFrame realm={realm} id={id} tab="settings">
      {(props) => (
        <>
          <Facts
            facts={[
              [texts.id, <code key="id">{props.scope.id}</code>],
              [texts.protocol, protocols[props.scope.protocol] ?? props.scope.protocol],
            ]}
          />
          <Settings {...props} />
        </>
      )}
    </ScopeFrame>
  );
}

function Settings({ realm, scope, tag, canManage }: ScopeSectionProps) {
  const { settings, labels, help, saved } = useTexts(scopeTexts);
  const stored = useMemo(() => ({ value: valuesOf(scope), tag }), [scope, tag]);
  const saving = useSaving<Values>({
    stored,
    refreshes: scopesKey(realm),
    save: (changes, ifMatch) => changeScope(realm, scope.id, { change: toRequest(changes), ifMatch }),
  });
  const { value, set } = saving;
  const text = (name: 'name' | 'description' | 'consentText' | 'order', note?: string) => (
    <TextField
      label={labels[name]}
      help={note}
      value={value[name]}
      readOnly={!canManage}
      onChange={({ target }) => set({ [name]: target.value })}
    />
  );
  const check = (name: 'asksForConsent' | 'isInTokenScope') => (
    <CheckField
      label={labels[name]}
      help={help[name]}
      isOn={value[name]}
      isReadOnly={!canManage}
      onTurn={(isOn) => set({ [name]: isOn })}
    />
  );
  return (
    <EditedForm title={settings} saving={saving} label={(member) => labels[member]} saved={saved} canManage={canManage}>
      <div className="field-pairs">
        {text('name', help.name)}
        {text('description')}
      </div>
      {scope.protocol === 'openid-connect' && check('isInTokenScope')}
      {check('asksForConsent')}
      {value.asksForConsent && (
        <div className="field-pairs">
          {text('consentText', help.consentText)}
          {text('order', help.order)}
        </div>
      )}
    </EditedForm>
  );
}

function valuesOf({ name, description = '', attributes }: ClientScope): Values {
  return {
    name,
    description,
    asksForConsent: attributes[ATTRIBUTES.asksForConsent] !== 'false',
    consentText: attributes[ATTRIBUTES.consentText] ?? '',
    isInTokenScope: attributes[ATTRIBUTES.isInTokenScope] !== 'false',
    order: attributes[ATTRIBUTES.order] ?? '',
  };
}

function toRequest({ name, description, ...changes }: Partial<Values>): ScopeChange {
  const attributes = Object.entries(changes).map(([member, value]) => [
    ATTRIBUTES[member as keyof typeof ATTRIBUTES],
    String(value),
  ]);
  return {
    ...(name === undefined ? {} : { name: name.trim() }),
    ...(description === undefined ? {} : { description }),
    attributes: Object.fromEntries(attributes),
  };
}
