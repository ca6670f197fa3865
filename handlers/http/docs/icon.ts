/** Icon of both pages: a small graph. */
export const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#2f4fd0"/><g stroke="#fff" stroke-width="2.4" fill="#fff"><path d="M10 22 16 9l6 13M10 22h12" fill="none"/><circle cx="16" cy="9" r="2.6"/><circle cx="10" cy="22" r="2.6"/><circle cx="22" cy="22" r="2.6"/></g></svg>
`;
