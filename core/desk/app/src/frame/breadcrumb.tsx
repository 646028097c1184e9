import { Link, useLocation } from 'wouter';
import { useMessages } from '../messages/language.tsx';
import { session } from '../session/session.ts';
import { hostPages, isAt, realmPages } from './navigation.ts';
import { RealmSwitcher } from './realm-switcher.tsx';
import { useIsOfRealm, useShownRealm } from './shown-realm.ts';

/** Host / realm / page: the realm is switched here. */
export function Breadcrumb() {
  const { frame, pages } = useMessages();
  const [path] = useLocation();
  const realm = useShownRealm();
  const isOfRealm = useIsOfRealm();
  const links = isOfRealm ? realmPages(realm) : hostPages(session.realm === 'master');
  const here = links.find(({ href }) => isAt(path, href));
  return (
    <nav className="breadcrumb" aria-label={frame.path}>
      <ol>
        <li className="crumb-host">
          <Link href="/">{frame.host}</Link>
        </li>
        {isOfRealm && (
          <li>
            <RealmSwitcher realm={realm} />
          </li>
        )}
        {here !== undefined && (
          <li className="crumb-page">
            <Link href={here.href} aria-current={path === here.href ? 'page' : undefined}>
              {pages[here.name]}
            </Link>
          </li>
        )}
      </ol>
    </nav>
  );
}
