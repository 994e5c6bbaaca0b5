/** Styles are imported for the build, which makes app.css of them. */
declare module '*.css'
