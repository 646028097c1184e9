import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { clientAuthenticators } from '../../api/client-authenticators.ts';
import {
  changeClient,
  clientsKey,
  JWKS_URL,
  SIGNING_ALGORITHM,
  SIGNING_MAX_AGE,
  USES_JWKS_URL,
} from '../../api/clients.ts';
import { serverInfo } from '../../api/server-info.ts';
import { useTexts } from '../../messages/language.tsx';
import { EditedForm } from '../../parts/edited-form.tsx';
import { CheckField, ChoiceField, TextField } from '../../parts/field.tsx';
import { useSaving } from '../../parts/use-saving.ts';
import type { ClientSectionProps } from './client-frame.tsx';
import { texts as clientTexts } from './texts.ts';

interface Values {
  readonly authenticator: string;
  readonly algorithm: string;
  readonly maxAge: string;
  readonly usesJwksUrl: boolean;
  readonly jwksUrl: string;
}

/** The client attribute of each value. */
const ATTRIBUTES = {
  algorithm: SIGNING_ALGORITHM,
  maxAge: SIGNING_MAX_AGE,
  usesJwksUrl: USES_JWKS_URL,
  jwksUrl: JWKS_URL,
} as const;

/** The client's authentication method, and the rules for its JWTs. */
export function ClientAuthentication({ realm, client, tag }: ClientSectionProps) {
  const texts = useTexts(clientTexts);
  const { data: known = [] } = useQuery(clientAuthenticators(realm));
  const names: Readonly<Record<string, string>> = texts.authenticators;
  const { data: host } = useQuery(serverInfo());
  const hostAuthenticators = host?.providers['client-authenticator']?.providers ?? {};
  const offered = known.filter(
    ({ id }) => hostAuthenticators[id] !== undefined && hostAuthenticators[id].operationalInfo?.supported !== 'false',
  );
  const stored = useMemo(() => {
    const { clientAuthenticatorType: authenticator, attributes } = client;
    const attributeOf = (name: keyof typeof ATTRIBUTES) => attributes[ATTRIBUTES[name]] ?? '';
    const usesJwksUrl = attributeOf('usesJwksUrl') === 'true';
    const algorithm = attributeOf('algorithm');
    const maxAge = attributeOf('maxAge');
    const jwksUrl = attributeOf('jwksUrl');
    return { value: { authenticator, algorithm, maxAge, usesJwksUrl, jwksUrl }, tag };
  }, [client, tag]);
  const saving = useSaving<Values>({
    stored,
    refreshes: clientsKey(realm),
    save: (changes, ifMatch) => changeClient(realm, client.id, { change: toRequest(changes), ifMatch }),
  });
  const { authenticator, algorithm, maxAge, usesJwksUrl, jwksUrl } = saving.value;
  const isReadOnly = !client.access.manage;
  const algorithms =
    authenticator === 'client-jwt'
      ? host?.cryptoInfo.clientSignatureAsymmetricAlgorithms
      : host?.cryptoInfo.clientSignatureSymmetricAlgorithms;
  return (
    <EditedForm
      title={texts.kind}
      saving={saving}
      label={(member) => texts.authentication[member]}
      saved={texts.saved}
      canManage={client.access.manage}
    >
      <div className="field-pairs">
        <ChoiceField
          label={texts.authentication.authenticator}
          value={authenticator}
          options={offered.map(({ id, displayName }) => [id, names[id] ?? displayName])}
          isReadOnly={isReadOnly}
          // The algorithm of the previous authenticator does not fit this one.
          onChange={(value) => saving.set({ authenticator: value, algorithm: '' })}
        />
        {authenticator !== 'client-secret' && (
          <>
            <ChoiceField
              label={texts.authentication.algorithm}
              value={algorithm}
              options={[['', texts.anyAlgorithm], ...(algorithms ?? []).map((one) => [one, one] as const)]}
              isReadOnly={isReadOnly}
              onChange={(value) => saving.set({ algorithm: value })}
            />
            <TextField
              label={texts.authentication.maxAge}
              help={texts.maxAgeHelp}
              inputMode="numeric"
              value={maxAge}
              readOnly={isReadOnly}
              onChange={({ target }) => saving.set({ maxAge: target.value.trim() })}
            />
          </>
        )}
        {authenticator === 'client-jwt' && usesJwksUrl && (
          <TextField
            label={texts.authentication.jwksUrl}
            required
            value={jwksUrl}
            readOnly={isReadOnly}
            onChange={({ target }) => saving.set({ jwksUrl: target.value.trim() })}
          />
        )}
      </div>
      {authenticator === 'client-jwt' && (
        <CheckField
          label={texts.authentication.usesJwksUrl}
          help={texts.usesJwksUrlHelp}
          isOn={usesJwksUrl}
          isReadOnly={isReadOnly}
          onTurn={(isOn) => saving.set({ usesJwksUrl: isOn })}
        />
      )}
    </EditedForm>
  );
}

/** Only the changed members, for a request. */
function toRequest({ authenticator, ...changes }: Partial<Values>) {
  const attributes = Object.fromEntries(
    Object.entries(changes).map(([name, value]) => [
      ATTRIBUTES[name as keyof typeof ATTRIBUTES],
      value === '' ? null : String(value),
    ]),
  );
  return {
    ...(authenticator === undefined ? {} : { clientAuthenticatorType: authenticator }),
    ...(Object.keys(attributes).length === 0 ? {} : { attributes }),
  };
}
