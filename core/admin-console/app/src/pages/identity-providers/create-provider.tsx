import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { encodeSegment } from '../../address.ts';
import { createIdentityProvider, identityProvidersKey, readDiscovery } from '../../api/identity-providers.ts';
import { serverInfo } from '../../api/server-info.ts';
import { useTexts } from '../../messages/language.tsx';
import { DialogForm } from '../../parts/dialog-form.tsx';
import { CheckField, ChoiceField, TextField } from '../../parts/field.tsx';
import { SecretField } from '../../parts/secret-field.tsx';
import { RedirectUri } from './redirect-uri.tsx';
import { texts as listTexts } from './texts.ts';

const NOTHING = {
  alias: '',
  discovery: '',
  usesDiscovery: true,
  authorizationUrl: '',
  tokenUrl: '',
  clientId: '',
  clientSecret: '',
};
type Name = Exclude<keyof typeof NOTHING, 'usesDiscovery'>;

/** Adds an identity provider and opens its page. The host reads its endpoints from its discovery document. */
export function CreateProvider({ realm, onClose }: { realm: string; onClose: () => void }) {
  const texts = useTexts(listTexts);
  const [, navigate] = useLocation();
  const client = useQueryClient();
  const { data } = useQuery(serverInfo());
  const [typed, setTyped] = useState(NOTHING);
  const kinds = data?.identityProviders ?? [];
  const [kindId, setKindId] = useState<string>();
  const kind = kinds.find(({ id }) => id === kindId) ?? kinds[0];
  /** The host has the addresses of social providers. */
  const hasAddresses = kind?.groupName !== 'Social';
  const { usesDiscovery, clientId, clientSecret } = typed;
  const alias = typed.alias.trim();
  const create = useMutation({
    mutationFn: async () => {
      const providerId = kind?.id ?? '';
      const { authorizationUrl, tokenUrl, discovery } = typed;
      const addresses = () =>
        usesDiscovery
          ? readDiscovery(realm, providerId, discovery.trim())
          : { authorizationUrl: authorizationUrl.trim(), tokenUrl: tokenUrl.trim() };
      const config = { ...(hasAddresses ? await addresses() : {}), clientId: clientId.trim(), clientSecret };
      await createIdentityProvider(realm, { alias, providerId, config });
    },
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: [...identityProvidersKey(realm), 'list'] });
      navigate(`/realms/${encodeSegment(realm)}/identity-providers/${encodeSegment(alias)}`);
    },
  });
  const field = (name: Name, more: { help?: string; type?: string } = {}) => (
    <TextField
      label={texts[name]}
      required
      {...more}
      value={typed[name]}
      onChange={({ target }) => setTyped({ ...typed, [name]: target.value })}
    />
  );
  return (
    <DialogForm
      title={texts.create}
      action={texts.add}
      isReady={kind !== undefined && alias !== ''}
      isBusy={create.isPending}
      failure={create.error}
      onSubmit={() => create.mutate()}
      onClose={onClose}
    >
      <ChoiceField
        label={texts.kind}
        value={kind?.id ?? ''}
        options={kinds.map(({ id, name }) => [id, name])}
        onChange={setKindId}
      />
      {field('alias', { help: texts.aliasHelp })}
      {alias !== '' && (
        <div>
          <p className="field-name">{texts.redirectUri}</p>
          <RedirectUri realm={realm} alias={alias} />
          <p className="help">{texts.redirectHelp}</p>
        </div>
      )}
      {hasAddresses && (
        <>
          <CheckField
            label={texts.usesDiscovery}
            isOn={usesDiscovery}
            onTurn={(isOn) => setTyped({ ...typed, usesDiscovery: isOn })}
          />
          {usesDiscovery ? (
            field('discovery', { help: texts.discoveryHelp, type: 'url' })
          ) : (
            <>
              {field('authorizationUrl', { type: 'url' })}
              {field('tokenUrl', { type: 'url' })}
            </>
          )}
        </>
      )}
      {field('clientId')}
      <SecretField
        label={texts.clientSecret}
        value={clientSecret}
        onChange={(secret) => setTyped({ ...typed, clientSecret: secret })}
      />
    </DialogForm>
  );
}
