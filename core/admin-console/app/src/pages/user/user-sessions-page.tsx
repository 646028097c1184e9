import { Consents } from './consents.tsx';
import { UserFrame } from './user-frame.tsx';
import { UserSessions } from './user-sessions.tsx';

export default function UserSessionsPage({ realm, id }: { realm: string; id: string }) {
  return (
    <UserFrame realm={realm} id={id} tab="sessions">
      {(props) => (
        <>
          <UserSessions {...props} />
          <Consents {...props} />
        </>
      )}
    </UserFrame>
  );
}
