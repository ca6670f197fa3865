import { svcIsLoggedIn } from '@svc/runtime';
import { useMemo } from 'react';

interface AvatarProps {
  name: string;
  size?: number;
}

export default function Avatar({ name, size = 28 }: AvatarProps) {
  const initials = useMemo(() => name.slice(0, 2).toUpperCase(), [name]);
  return (
    <span className="avatar" style={{ width: size, height: size }} title={svcIsLoggedIn() ? 'signed in' : 'guest'}>
      {initials}
    </span>
  );
}
