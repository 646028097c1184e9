import { useQuery } from '@tanstack/react-query';
import { Link, useLocation } from 'wouter';
import { pluginPages, textIn } from '../api/plugin-pages.ts';
import { useLanguage } from '../messages/language.tsx';
import { session } from '../session/session.ts';
import { hostPages, isAt, pluginPagePath, realmPages, WIZARD } from './navigation.ts';
import { RealmSwitcher } from './realm-switcher.tsx';
import { useIsOfRealm, useShownRealm } from './shown-realm.ts';

/** Host / realm / page, with a selector for the realm. */
export function Breadcrumb() {
  const { frame, pages } = useLanguage().messages;
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
        {here !== undefined && <Crumb href={here.href} title={pages[here.name]} />}
        {WIZARD.test(path) && <Crumb href={path} title={frame.connect} />}
        {isOfRealm && <PluginPageCrumb realm={realm} />}
      </ol>
    </nav>
  );
}

function Crumb({ href, title }: { href: string; title: string }) {
  const [path] = useLocation();
  return (
    <li className="crumb-page">
      <Link href={href} aria-current={path === href ? 'page' : undefined}>
        {title}
      </Link>
    </li>
  );
}

/** The name of a plugin's page, on that page. */
function PluginPageCrumb({ realm }: { realm: string }) {
  const { language } = useLanguage();
  const [path] = useLocation();
  const { data = [] } = useQuery(pluginPages(realm));
  const here = data.find(({ provider, page }) => page.at === 'realm' && isAt(path, pluginPagePath(realm, provider)));
  if (here === undefined) return null;
  return <Crumb href={pluginPagePath(realm, here.provider)} title={textIn(here.page.title, language)} />;
}
