import type { ReactNode } from 'react';
import type { Instructions } from '../../api/apps.ts';
import { useTexts } from '../../messages/language.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { HIDDEN_SECRET } from './hidden-secret.ts';
import { texts as connectTexts } from './texts.ts';

/** The settings of the app, each with a button to copy it. */
export function AppSettings(props: {
  instructions: Instructions;
  isShown: boolean;
  onShow: (isShown: boolean) => void;
}) {
  const { instructions, isShown, onShow } = props;
  const texts = useTexts(connectTexts);
  const { issuer, clientId, secret, redirectUris } = instructions;
  return (
    <section>
      <h2>{texts.settings}</h2>
      <dl className="card app-settings">
        <Setting name={texts.issuer} value={issuer} />
        <Setting name={texts.clientId} value={clientId} />
        {secret !== undefined && (
          <Setting name={texts.secret} value={secret} shown={isShown ? secret : HIDDEN_SECRET}>
            <button type="button" aria-pressed={isShown} onClick={() => onShow(!isShown)}>
              {isShown ? texts.hide : texts.show}
            </button>
          </Setting>
        )}
        {redirectUris.map((uri) => (
          // An app cannot send a pattern, only a URI that matches it.
          <Setting
            key={uri}
            name={isPattern(uri) ? texts.redirectPattern : texts.redirectUri}
            value={withoutWildcard(uri)}
          />
        ))}
      </dl>
      {secret !== undefined && <p className="help list-help">{texts.secretHelp}</p>}
    </section>
  );
}

const isPattern = (uri: string) => uri.endsWith('*');
const withoutWildcard = (uri: string) => uri.replace(/\*$/, '');

function Setting(props: { name: string; value: string; shown?: string; children?: ReactNode }) {
  const { name, value, shown = value, children } = props;
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <code>{shown}</code>
        <span className="actions">
          {children}
          <CopyButton text={value} label={name} />
        </span>
      </dd>
    </div>
  );
}
