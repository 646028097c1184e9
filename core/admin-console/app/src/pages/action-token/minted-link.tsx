import { Link } from 'wouter';
import { type MintedToken, tokenHref } from '../../api/action-tokens.ts';
import type { ListedUser } from '../../api/users.ts';
import { useTexts } from '../../messages/language.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { Time } from '../../parts/time.tsx';
import { useFocusWhen } from '../../parts/use-focus-when.ts';
import { texts } from '../action-tokens/texts.ts';

/** The link, which is shown only once. */
export function MintedLink(props: { realm: string; user: ListedUser; minted: MintedToken; onAgain: () => void }) {
  const strings = useTexts(texts);
  const { realm, user, minted, onAgain } = props;
  const box = useFocusWhen<HTMLElement>(true);
  return (
    <section className="notice notice-good minted" tabIndex={-1} ref={box}>
      <h2>{strings.minted}</h2>
      <p>{strings.mintedFor(user.username)}</p>
      <label className="field">
        {strings.link}
        <input type="text" readOnly value={minted.link} onFocus={({ currentTarget }) => currentTarget.select()} />
      </label>
      <p className="actions">
        <CopyButton text={minted.link} label={strings.link} />
        <span>
          {strings.expires}: <Time at={minted.expiresAt} />
        </span>
      </p>
      <p className="actions">
        <Link className="button" href={tokenHref(realm, user.id, minted.id)}>
          {strings.toHistory}
        </Link>
        <button type="button" onClick={onAgain}>
          {strings.another}
        </button>
      </p>
    </section>
  );
}
