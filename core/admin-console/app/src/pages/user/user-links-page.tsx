import { UserFrame } from './user-frame.tsx';
import { UserLinks } from './user-links.tsx';

export default function UserLinksPage({ realm, id }: { realm: string; id: string }) {
  return (
    <UserFrame realm={realm} id={id} tab="links">
      {(props) => <UserLinks {...props} />}
    </UserFrame>
  );
}
