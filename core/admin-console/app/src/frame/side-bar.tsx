import { Link, useLocation } from 'wouter';
import { useMessages } from '../messages/language.tsx';
import { session } from '../session/session.ts';
import { ConsoleLink } from './console-link.tsx';
import { hostPages, isAt, type PageLink, realmPages } from './navigation.ts';
import { PluginLinks } from './plugin-links.tsx';
import { useShownRealm } from './shown-realm.ts';

/** All pages, in one group for the host and one for the realm. */
export function SideBar({ id, onNavigate }: { id: string; onNavigate: () => void }) {
  const messages = useMessages();
  const realm = useShownRealm();
  return (
    <nav className="side-bar" id={id} aria-label={messages.frame.pages}>
      <Group title={messages.frame.host} links={hostPages(session.realm === 'master')} onNavigate={onNavigate} />
      <Group title={messages.frame.realm} name={realm} links={realmPages(realm)} onNavigate={onNavigate} />
      <PluginLinks realm={realm} onNavigate={onNavigate} />
      <ConsoleLink shown={realm} />
    </nav>
  );
}

function Group(props: { title: string; name?: string; links: readonly PageLink[]; onNavigate: () => void }) {
  const { pages } = useMessages();
  const [path] = useLocation();
  return (
    <section className="side-group">
      <h2>
        {props.title}
        {props.name !== undefined && <span className="side-realm">{props.name}</span>}
      </h2>
      <ul>
        {props.links.map(({ name, href }) => (
          <li key={name}>
            <Link href={href} aria-current={isAt(path, href) ? 'page' : undefined} onClick={props.onNavigate}>
              {pages[name]}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
