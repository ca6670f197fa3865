/** Names that tests of components have (`@svc/runtime/testing`): those of Testing Library. */
export { act, cleanup, fireEvent, render, renderHook, screen, waitFor, within } from '@testing-library/react';
export { userEvent } from '@testing-library/user-event';
