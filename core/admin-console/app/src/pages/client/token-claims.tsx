import type { ClaimOrigin, EvaluatedClaim, EvaluatedTokens } from '../../api/claims.ts';
import { useTexts } from '../../messages/language.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { type TestTexts, texts as testTexts } from './test-texts.ts';

const TOKENS = ['access', 'id', 'userinfo'] as const;
export type TokenName = (typeof TOKENS)[number];

/** The claims of one of the tokens, with their origins. */
export function TokenClaims(props: { tokens: EvaluatedTokens; shown: TokenName; onShow: (token: TokenName) => void }) {
  const { tokens, shown, onShow } = props;
  const test = useTexts(testTexts);
  const columns: readonly Column<EvaluatedClaim>[] = [
    { title: test.claim, show: ({ claim }) => <code>{claim}</code> },
    {
      title: test.value,
      show: ({ value, origins }) => (
        <>
          <code>{text(value)}</code>
          <small className="narrow">{originText(origins, test)}</small>
        </>
      ),
    },
    { title: test.why, isMinor: true, show: ({ origins }) => originText(origins, test) },
  ];
  return (
    <div>
      <div className="section-head">
        <fieldset className="choices">
          <legend className="unseen">{test.title}</legend>
          {TOKENS.map((one) => (
            <label key={one}>
              <input
                type="radio"
                name="token"
                className="unseen"
                checked={one === shown}
                onChange={() => onShow(one)}
              />
              {test.tokens[one]}
            </label>
          ))}
        </fieldset>
        <p className="help">
          {test.atWork}: {tokens.scopes.join(', ')}
        </p>
      </div>
      {tokens[shown].length === 0 ? (
        <p className="nothing">{test.noOpenid}</p>
      ) : (
        <DataTable caption={test.tokens[shown]} columns={columns} rows={tokens[shown]} keyOf={({ claim }) => claim} />
      )}
      {shown !== 'userinfo' && <p className="help list-help">{test.issued}</p>}
    </div>
  );
}

function originText(origins: readonly ClaimOrigin[], test: TestTexts): string {
  if (origins.length === 0) return test.protocol;
  return origins
    .map(({ mapperName, containerName }) => {
      const where = containerName === '' ? test.ofClient : test.ofScope(containerName);
      return `${test.mapper(mapperName)} ${where}`;
    })
    .join('; ');
}

/** On one line that can be wrapped. */
function text(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value, undefined, 1).replaceAll(/\n\s*/g, ' ');
}
