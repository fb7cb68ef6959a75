/** Where the thumbnail of a picture is, for whoever has its id alone. */
export const thumbnailUrl = (item: string): string => `/api/items/${item}/thumbnail?size=256`
