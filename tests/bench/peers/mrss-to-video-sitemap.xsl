<?xml version="1.0"?>
<!-- Media RSS (renditions in groups) to a video sitemap; dates stay as they are. -->
<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform"
    xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"
    xmlns:video="http://www.google.com/schemas/sitemap-video/1.1"
    xmlns:media="http://search.yahoo.com/mrss/" xmlns:dcterms="http://purl.org/dc/terms/"
    exclude-result-prefixes="media dcterms">
  <xsl:output method="xml" encoding="UTF-8"/>
  <xsl:template match="/rss/channel">
    <urlset><xsl:apply-templates select="item"/></urlset>
  </xsl:template>
  <xsl:template name="tags">
    <xsl:param name="list"/>
    <xsl:if test="$list != ''">
      <video:tag><xsl:value-of select="normalize-space(substring-before(concat($list, ','), ','))"/></video:tag>
      <xsl:call-template name="tags"><xsl:with-param name="list" select="substring-after($list, ',')"/></xsl:call-template>
    </xsl:if>
  </xsl:template>
  <xsl:template match="item">
    <xsl:variable name="all" select="media:group/media:content | media:content"/>
    <xsl:variable name="default" select="$all[@isDefault = 'true'][1]"/>
    <xsl:variable name="content" select="$default | $all[not($default)][1]"/>
    <url>
      <loc><xsl:value-of select="link"/></loc>
      <video:video>
        <video:thumbnail_loc><xsl:value-of select="media:thumbnail[1]/@url"/></video:thumbnail_loc>
        <video:title><xsl:value-of select="media:title"/></video:title>
        <video:description><xsl:value-of select="substring(media:description, 1, 2048)"/></video:description>
        <video:content_loc><xsl:value-of select="$content/@url"/></video:content_loc>
        <video:player_loc><xsl:value-of select="media:player/@url"/></video:player_loc>
        <video:duration><xsl:value-of select="$content/@duration"/></video:duration>
        <video:expiration_date><xsl:value-of select="substring-before(concat(substring-after(dcterms:valid, 'end='), ';'), ';')"/></video:expiration_date>
        <video:rating><xsl:value-of select="media:community/media:starRating/@average"/></video:rating>
        <video:view_count><xsl:value-of select="media:community/media:statistics/@views"/></video:view_count>
        <video:publication_date><xsl:value-of select="pubDate"/></video:publication_date>
        <xsl:call-template name="tags"><xsl:with-param name="list" select="media:keywords"/></xsl:call-template>
        <video:category><xsl:value-of select="media:category/@label"/></video:category>
        <video:family_friendly><xsl:choose><xsl:when test="media:rating = 'adult'">no</xsl:when><xsl:otherwise>yes</xsl:otherwise></xsl:choose></video:family_friendly>
        <video:restriction relationship="{media:restriction/@relationship}"><xsl:value-of select="translate(media:restriction, 'abcdefghijklmnopqrstuvwxyz', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ')"/></video:restriction>
        <video:price currency="{media:price/@currency}"><xsl:value-of select="media:price/@price"/></video:price>
        <video:uploader><xsl:value-of select="media:credit[@role = 'uploader']"/></video:uploader>
      </video:video>
    </url>
  </xsl:template>
</xsl:stylesheet>
