export type Source = 'flag' | 'environment' | 'profile' | 'file' | 'default';
