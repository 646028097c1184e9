import { Link } from 'wouter';
import { type Minted, tokenHref } from '../../api/action-tokens.ts';
import type { ListedUser } from '../../api/users.ts';
import { useTexts } from '../../messages/language.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { Time } from '../../parts/time.tsx';
import { useFocusWhen } from '../../parts/use-focus-when.ts';
import { texts } from '../action-tokens/texts.ts';

/** The link, which is shown only once. */
export function MintedLink(props: { realm: string; user: ListedUser; minted: Minted; onAgain: () => void }) {
  const told = useTexts(texts);
  const { realm, user, minted, onAgain } = props;
  const box = useFocusWhen<HTMLElement>(true);
  return (
    <section className="notice notice-good minted" tabIndex={-1} ref={box}>
      <h2>{told.minted}</h2>
      <p>{told.mintedFor(user.username)}</p>
      <label className="field">
        {told.link}
        <input type="text" readOnly value={minted.link} onFocus={({ currentTarget }) => currentTarget.select()} />
      </label>
      <p className="actions">
        <CopyButton text={minted.link} label={told.link} />
        <span>
          {told.expires}: <Time at={minted.expiresAt} />
        </span>
      </p>
      <p className="actions">
        <Link className="button" href={tokenHref(realm, user.id, minted.id)}>
          {told.toHistory}
        </Link>
        <button type="button" onClick={onAgain}>
          {told.another}
        </button>
      </p>
    </section>
  );
}
